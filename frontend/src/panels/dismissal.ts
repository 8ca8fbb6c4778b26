// What is open above the page goes when somebody presses Escape, or points at something else.

import { useLayoutEffect } from "preact/hooks";

const open: (() => void)[] = []; // how each is dismissed; the last lies above the others

// Before the keys of the page: Escape ends nothing else then. While a word is being composed it is about that word.
document.addEventListener(
  "keydown",
  (event) => {
    const dismissTopmost = open.at(-1);
    if (event.key !== "Escape" || event.isComposing || !dismissTopmost) return;
    event.preventDefault();
    dismissTopmost();
  },
  true,
);

export function useDismissal(dismiss: () => void, isInside?: (target: Element) => boolean): void {
  useLayoutEffect(() => { // at once: a key may come before the next frame
    const point = (event: Event) => isInside && !isInside(event.target as Element) && dismiss();
    open.push(dismiss);
    document.addEventListener("pointerdown", point);
    return () => {
      open.splice(open.indexOf(dismiss), 1);
      document.removeEventListener("pointerdown", point);
    };
  }, []);
}
