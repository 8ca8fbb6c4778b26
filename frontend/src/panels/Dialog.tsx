// A sheet over the page, with the browser's own manners: Esc closes it, and what is behind cannot be reached.

import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../texts";
import { Icon } from "./icons";
import "./dialog.css";

interface DialogProps {
  isOpen: Signal<boolean>;
  title: string;
  children: preact.ComponentChildren;
}

export function Dialog(props: DialogProps) {
  return props.isOpen.value ? <Sheet {...props} /> : null;
}

function Sheet({ isOpen, title, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog
      ref={box}
      class="sheet"
      aria-label={title}
      onClose={() => (isOpen.value = false)}
      onClick={(event) => event.target === event.currentTarget && (isOpen.value = false)}
    >
      <div class="sheet-body">
        <header>
          <h2>{title}</h2>
          <button class="tool" aria-label={text("close")} title={text("close")} onClick={() => (isOpen.value = false)}><Icon name="close" /></button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
