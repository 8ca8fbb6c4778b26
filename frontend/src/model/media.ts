// What the window is like, as long as it is.

import { type ReadonlySignal, signal } from "@preact/signals";

export function windowIs(query: string): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  const isSo = signal(media.matches);
  media.addEventListener("change", () => (isSo.value = media.matches));
  return isSo;
}
