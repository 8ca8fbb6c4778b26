// The server's words for kinds and themes in the language of the page.

import { text } from "../texts";
import type { Texts } from "../texts/en";

export function themeText(theme: string): string {
  const length = /^in (\d+)$/.exec(theme)?.[1];
  return length ? text("theme-in", length) : text(`theme-${theme}` as keyof Texts);
}
