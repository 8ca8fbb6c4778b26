// A field for moves: empty at once for the next one. What is refused comes back to be corrected, unless something new stands there.

import { useSignal, type Signal } from "@preact/signals";

interface MoveField {
  readonly written: Signal<string>;
  readonly isBusy: boolean;
  readonly submit: (event: Event) => void;
}

export function useMoveField(take: (move: string) => Promise<boolean>): MoveField {
  const written = useSignal("");
  const underWay = useSignal(0);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const move = written.value.trim();
    if (!move) return;
    written.value = "";
    underWay.value += 1;
    const isTaken = await take(move).finally(() => (underWay.value -= 1));
    if (!isTaken && written.value === "") written.value = move;
  };
  return { written, isBusy: underWay.value > 0, submit: (event) => void submit(event) };
}
