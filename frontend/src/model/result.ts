// SGF writes B+Resign; people say it in words.

import { text } from "../texts";

export function resultInWords(result: string): string {
  if (/^(0|draw|jigo)$/i.test(result)) return text("drawn");
  const [, letter, why = ""] = /^([BW])\+(.*)$/i.exec(result) ?? [];
  if (!letter) return result;
  const side = text(letter.toUpperCase() === "B" ? "black" : "white");
  const reason = /^r/i.test(why) ? text("byResignation") : /^t/i.test(why) ? text("byTime") : why;
  return `${side} ${text("wins")} ${reason}`.trim();
}
