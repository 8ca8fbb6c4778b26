// The texts of the page in the user's language.

import { settings } from "../model/state";
import { en, type Texts } from "./en";
import { zhHant } from "./zh-Hant";

export function text(name: keyof Texts, ...values: (string | number)[]): string {
  const texts = settings.value.language === "zh-Hant" ? zhHant : en;
  return texts[name].replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ""));
}
