// A line that is shown on the board and not played: how much of it is seen, and how it is taken.

import { computed, effect, signal } from "@preact/signals";
import { playLine } from "./actions";
import { preview } from "./state";

const moves = signal(Infinity);
let hasStepped = false;

effect(() => {
  void preview.value;
  moves.value = Infinity;
  hasStepped = false;
});

export const previewed = computed(() => preview.value.slice(0, moves.value));

export function isPreviewing(): boolean {
  return preview.value.length > 0;
}

// The whole line comes again after its end.
export function stepPreview(by: number): void {
  const length = preview.value.length;
  const now = Math.min(moves.value, length);
  moves.value = by > 0 ? (now % length) + 1 : Math.max(1, now - 1);
  hasStepped = true;
}

// Adds a line to the record: its first move, all of it with Shift, and what is seen if the wheel has chosen that.
export function takeLine(line: string[], isWhole: boolean): Promise<number | null> {
  const taken = isWhole ? line : hasStepped ? line.slice(0, previewed.value.length) : line.slice(0, 1);
  return playLine(taken);
}
