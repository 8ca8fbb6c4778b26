// Everything can be done from the keyboard.

import { batch } from "@preact/signals";
import { endSetUp, lookForHints, playPending, redo, removeBranch, stopAll, step, toEnd, toggleAnalysis, toSibling, toStart, undo } from "./model/actions";
import { change, pending, preview, settings, setUp } from "./model/state";
import { showKeys } from "./panels/Keys";

type Action = () => unknown;

const KEYS: Record<string, Action> = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  PageUp: () => step(-10),
  PageDown: () => step(10),
  ArrowUp: () => toSibling(-1),
  ArrowDown: () => toSibling(1),
  Home: toStart,
  End: toEnd,
  " ": toggleAnalysis,
  Enter: playPending,
  Escape: escape,
  Delete: removeBranch,
  t: toggleThreats,
  n: () => change({ numbers: !settings.value.numbers }),
  r: () => change({ turns: (settings.value.turns + 1) % 4 }),
  "?": () => (showKeys.value = !showKeys.value),
};

export function toggleThreats(): void {
  change({ threats: !settings.value.threats });
  void lookForHints();
}

function escape(): void {
  batch(() => {
    pending.value = [];
    preview.value = [];
    showKeys.value = false;
  });
  if (setUp.value) void endSetUp(false);
  void stopAll();
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement;
    if (event.key === "Escape" && isTyping) (event.target as HTMLElement).blur();
    else if (isTyping || event.altKey) return;
    const isControl = event.ctrlKey || event.metaKey;
    const action = isControl ? { z: event.shiftKey ? redo : undo, y: redo }[event.key.toLowerCase()] : KEYS[event.key];
    // On a button that was reached by keyboard, space and Enter press it.
    const presses = event.key === " " || event.key === "Enter";
    if (!action || (presses && event.target instanceof HTMLButtonElement && event.target.matches(":focus-visible"))) return;
    event.preventDefault();
    void action();
  });
}
