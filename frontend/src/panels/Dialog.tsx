// A sheet over the page, with the browser's own manners: Esc closes it, and what is behind cannot be reached.

import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useBorrowedFocus } from "../focus";
import { text } from "../texts";
import { useDismissal } from "./dismissal";
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
  const isPressedBeside = useRef(false); // and not in a text that is being selected
  const close = () => (isOpen.value = false);
  useBorrowedFocus(box, (sheet) => sheet.showModal(), (sheet) => sheet.close());
  useDismissal(close);
  return (
    <dialog
      ref={box}
      class="sheet"
      aria-label={title}
      onClose={() => box.current && close()} // by the browser itself, such as by a gesture
      onPointerDown={(event) => (isPressedBeside.current = event.target === event.currentTarget)}
      onClick={(event) => isPressedBeside.current && event.target === event.currentTarget && close()}
    >
      <div class="sheet-body">
        <header>
          <h2>{title}</h2>
          <button class="tool" aria-label={text("close")} title={text("close")} onClick={close}><Icon name="close" /></button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
