// The texts of the page in the user's language.

import { computed } from "@preact/signals";
import { settings } from "../model/state";
import { en, type Texts } from "./en";
import { SENTENCES } from "./server.zh-Hant";
import { zhHant } from "./zh-Hant";

const numbers = computed(() => new Intl.NumberFormat(settings.value.language));
const dates = computed(() => new Intl.DateTimeFormat(settings.value.language, { dateStyle: "medium", timeStyle: "short" }));

export function text(name: keyof Texts, ...values: (string | number)[]): string {
  const texts = settings.value.language === "zh-Hant" ? zhHant : en;
  return filled(texts[name], values);
}

function filled(template: string, values: readonly (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ""));
}

const sentences = SENTENCES.map(([english, chinese]) => [patternOf(english), chinese] as const);

function patternOf(sentence: string): RegExp {
  const parts = sentence.split("{}").map((part) => part.replace(/[^\w\s]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.+?)")}$`, "s");
}

// What the server has said, in the language of the page where there are words for it.
export function serverText(words: string): string {
  if (settings.value.language !== "zh-Hant") return words;
  for (const [pattern, chinese] of sentences) {
    const found = pattern.exec(words);
    if (found) return filled(chinese, found.slice(1).map(serverText));
  }
  return words;
}

export function numberText(value: number): string {
  return numbers.value.format(value);
}

export function dateText(moment: string): string {
  return dates.value.format(new Date(moment));
}
