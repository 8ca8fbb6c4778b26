// The first analysis, step by step, on a real position. Each step ends when what it asks for has happened.

import { computed, effect, signal } from "@preact/signals";
import { openText } from "../model/actions";
import { currentId, tasksHere } from "../model/state";
import type { Texts } from "../texts/en";

const KEY = "tengen-toured";
// From a game of two programs; Black wins by six double threats.
const POSITION = "J10 I11I10 I9J9 J11K11 L11H9 G9K10 L9K9 M9L10 J12J7 M10J6 K7M7 I7K6";

type Step = "offer" | "analyse" | "look" | "solve" | "follow" | "end";

export const tourStep = signal<Step | null>(localStorage.getItem(KEY) ? null : "offer");

export const tourText = computed<keyof Texts | null>(() => (tourStep.value ? (`tour-${tourStep.value}` as keyof Texts) : null));

const ORDER: Step[] = ["offer", "analyse", "look", "solve", "follow", "end"];

export function nextStep(): void {
  const step = tourStep.value;
  if (step) tourStep.value = ORDER[ORDER.indexOf(step) + 1] ?? null;
  if (!tourStep.value) endTour();
}

export function endTour(): void {
  tourStep.value = null;
  localStorage.setItem(KEY, "yes");
}

export async function beginTour(title = "Tengen"): Promise<void> {
  await openText(POSITION, title);
  tourStep.value = "analyse";
}

export function progress(): [number, number] {
  return [tourStep.value ? ORDER.indexOf(tourStep.value) : 0, ORDER.length - 1];
}

// What was asked for has happened.
const analysed = computed(() => tasksHere.value.some((task) => task.kind === "analyse" && task.answer));
const solved = computed(() => tasksHere.value.some((task) => task.kind === "solve" && task.state === "done"));
let startedAt = 0;

effect(() => {
  const step = tourStep.value;
  if (step === "analyse" && analysed.value) tourStep.value = "look";
  if (step === "solve" && solved.value) {
    startedAt = currentId.peek();
    tourStep.value = "follow";
  }
  if (step === "follow" && currentId.value !== startedAt) tourStep.value = "end";
});
