// A button with a list of things to do behind it.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Texts } from "../texts/en";
import { text } from "../texts";
import { Icon, type IconName } from "./icons";
import "./menu.css";

export function Menu({ icon, name, children }: { icon: IconName; name: keyof Texts; children: preact.ComponentChildren }) {
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen.value) return undefined;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !box.current?.contains(event.target as Node)) isOpen.value = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, [isOpen.value]);
  return (
    <div class="menu" ref={box}>
      <button class="tool" title={text(name)} aria-label={text(name)} aria-haspopup="true" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        <Icon name={icon} />
      </button>
      {isOpen.value && (
        <div class="menu-list" onClick={(event) => (event.target as Element).closest("button, a") && (isOpen.value = false)}>
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
