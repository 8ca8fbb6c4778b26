// A button with a list of things to do behind it.

import { useSignal } from "@preact/signals";
import type { RefObject, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useBorrowedFocus } from "../focus";
import type { Texts } from "../texts/en";
import { text } from "../texts";
import { useDismissal } from "./dismissal";
import { Icon, type IconName } from "./icons";
import "./menu.css";

const MARGIN = 8;

// Which of the items has the focus then.
const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (Math.max(at, 0) - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
  ArrowLeft: (at) => at,
  ArrowRight: (at) => at,
};

interface MenuProps {
  icon: IconName;
  name: keyof Texts;
  children: preact.ComponentChildren;
}

export function Menu({ icon, name, children }: MenuProps) {
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  return (
    <div class="menu" ref={box} onKeyDown={stepThroughItems}>
      <button class="tool" title={text(name)} aria-label={text(name)} aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        <Icon name={icon} />
      </button>
      {isOpen.value && <MenuList menu={box} onClose={() => (isOpen.value = false)}>{children}</MenuList>}
    </div>
  );
}

// While a menu is open its keys are not those of the page.
function stepThroughItems(event: TargetedKeyboardEvent<HTMLElement>): void {
  const to = STEPS[event.key];
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(".item:not(:disabled)")];
  if (!to || items.length === 0) return;
  event.preventDefault();
  items[to(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus();
}

function MenuList({ menu, onClose, children }: { menu: RefObject<HTMLElement | null>; onClose: () => void; children: preact.ComponentChildren }) {
  const list = useRef<HTMLDivElement>(null);
  useBorrowedFocus(list);
  useDismissal(onClose, (target) => menu.current!.contains(target));
  // Downwards, or upwards where there is more room.
  useLayoutEffect(() => {
    const { top, bottom } = menu.current!.getBoundingClientRect();
    const below = innerHeight - bottom;
    const isAbove = list.current!.scrollHeight > below - 2 * MARGIN && top > below;
    list.current!.classList.toggle("above", isAbove);
    list.current!.style.maxHeight = `${(isAbove ? top : below) - 2 * MARGIN}px`;
  }, []);
  return (
    <div class="menu-list" ref={list} onClick={(event) => (event.target as Element).closest("button, a") && onClose()}>
      {children}
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
