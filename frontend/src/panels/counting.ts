// Seconds that go on between two words of the server.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const TICK = 200; // ms

// What was told, and since then the time that has passed here.
export function useCounting(told: number, isRunning: boolean, news: unknown): number {
  const since = useSignal(performance.now());
  const now = useSignal(performance.now());
  useEffect(() => {
    since.value = now.value = performance.now();
    if (!isRunning) return undefined;
    const timer = setInterval(() => (now.value = performance.now()), TICK);
    return () => clearInterval(timer);
  }, [news, isRunning]);
  return told + (now.value - since.value) / 1000;
}
