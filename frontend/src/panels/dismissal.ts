// What is open above the page goes when somebody presses Escape, or points at something else.

import { useEffect } from "preact/hooks";

export function useDismissal(isOpen: boolean, isInside: (target: Element) => boolean, dismiss: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const look = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !isInside(event.target as Element)) dismiss();
    };
    document.addEventListener("pointerdown", look);
    document.addEventListener("keydown", look);
    return () => {
      document.removeEventListener("pointerdown", look);
      document.removeEventListener("keydown", look);
    };
  }, [isOpen]);
}
