// What is open above the page goes when somebody presses Escape, or points at something else.

import { useEffect } from "preact/hooks";

export function useDismissal(isOpen: boolean, isInside: (target: Element) => boolean, dismiss: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const point = (event: Event) => isInside(event.target as Element) || dismiss();
    // Before the keys of the page: Escape ends nothing else then.
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      dismiss();
    };
    document.addEventListener("pointerdown", point);
    document.addEventListener("keydown", press, true);
    return () => {
      document.removeEventListener("pointerdown", point);
      document.removeEventListener("keydown", press, true);
    };
  }, [isOpen]);
}
