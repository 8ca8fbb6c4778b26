// Looks again and again while something is shown.

import { useEffect } from "preact/hooks";

export function useLooking(look: () => Promise<unknown>, every: number): void {
  useEffect(() => {
    let timer = 0;
    let isShown = true;
    const again = async () => {
      await look();
      if (isShown) timer = window.setTimeout(again, every);
    };
    void again();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, []);
}
