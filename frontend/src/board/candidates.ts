// The moves that an analysis of the position shown has found.

import { computed } from "@preact/signals";
import type { Candidate } from "../net/types";
import { tasksHere } from "../model/state";

export const candidatesHere = computed<Candidate[]>(() => {
  const task = tasksHere.value.find((one) => one.kind === "analyse" && one.answer);
  return (task?.answer?.["moves"] as Candidate[] | undefined) ?? [];
});
