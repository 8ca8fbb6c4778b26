// How the focus came where it is, and how it comes back from what was opened above the page.

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

// Any key makes the focus visible, so this is asked when it comes.
let isReachedByKeyboard = false;

export function wasReachedByKeyboard(): boolean {
  return isReachedByKeyboard;
}

export function listenToFocus(): void {
  document.addEventListener("focusin", ({ target }) => (isReachedByKeyboard = (target as Element).matches(":focus-visible")));
  // After a choice with the mouse the keys are those of the page again, but for a sheet over it.
  document.addEventListener("change", ({ target }) => {
    if (!isReachedByKeyboard && target instanceof HTMLElement && target.matches(":is(select, [type=checkbox]):not(dialog *)")) target.blur();
  });
}

const openers = new Map<HTMLElement, readonly Element[]>(); // of all that is open

// Whatever way a box is left, its focus goes back to what it was opened from. `enter` takes the focus into the box, and
// `leave` is what the box itself has to do before the page behind it can have the focus.
export function useBorrowedFocus<Box extends HTMLElement>(box: RefObject<Box | null>, enter?: (box: Box) => void, leave?: (box: Box) => void): void {
  useLayoutEffect(() => { // at once: a key may come before the next frame
    const here = box.current!;
    const from = openersNow();
    openers.set(here, from);
    enter?.(here);
    return () => {
      openers.delete(here);
      const isElsewhere = document.activeElement !== document.body && !here.contains(document.activeElement);
      leave?.(here);
      if (!isElsewhere) giveBack(from);
    };
  }, []);
}

// What has the focus, and what opened the box around it: an item of a menu is gone when the sheet that it opened is closed, and
// the menu's button is still there.
function openersNow(): readonly Element[] {
  const focused = document.activeElement;
  const around = [...openers].find(([box]) => box.contains(focused));
  return [...(focused ? [focused] : []), ...(around?.[1] ?? [])];
}

function giveBack(from: readonly Element[]): void {
  const opener = from.find((one) => one.isConnected);
  if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
}
