// A button with a list of things to do behind it.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Texts } from "../texts/en";
import { text } from "../texts";
import { useDismissal } from "./dismissal";
import { Icon, type IconName } from "./icons";
import "./menu.css";

const MARGIN = 8;

export function Menu({ icon, name, children }: { icon: IconName; name: keyof Texts; children: preact.ComponentChildren }) {
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const close = () => {
    if (list.current?.contains(document.activeElement)) box.current?.querySelector("button")?.focus();
    isOpen.value = false;
  };
  useDismissal(isOpen.value, (target) => box.current?.contains(target) ?? false, close);
  // Downwards, or upwards where there is more room.
  useLayoutEffect(() => {
    if (!list.current || !box.current) return;
    const { top, bottom } = box.current.getBoundingClientRect();
    const below = innerHeight - bottom;
    const isAbove = list.current.scrollHeight > below - 2 * MARGIN && top > below;
    list.current.classList.toggle("above", isAbove);
    list.current.style.maxHeight = `${(isAbove ? top : below) - 2 * MARGIN}px`;
  }, [isOpen.value]);
  return (
    <div class="menu" ref={box}>
      <button class="tool" title={text(name)} aria-label={text(name)} aria-haspopup="true" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        <Icon name={icon} />
      </button>
      {isOpen.value && (
        <div class="menu-list" ref={list} onClick={(event) => (event.target as Element).closest("button, a") && (isOpen.value = false)}>
          {children}
        </div>
      )}
    </div>
  );
}

interface ItemProps {
  icon?: IconName;
  keys?: string;
  disabled?: boolean;
  onClick: () => void;
  children: preact.ComponentChildren;
}

export function Item({ icon, keys, disabled = false, onClick, children }: ItemProps) {
  return (
    <button class="item" onClick={onClick} disabled={disabled}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {keys && <kbd>{keys}</kbd>}
    </button>
  );
}

export function LinkItem({ icon, href, file, children }: { icon: IconName; href: string; file: string; children: preact.ComponentChildren }) {
  return (
    <a class="item" href={href} download={file}>
      <Icon name={icon} />
      <span>{children}</span>
    </a>
  );
}
