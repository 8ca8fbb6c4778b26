// Which panels have something at work.

import { computed } from "@preact/signals";
import { busyTasks, open, type Tab } from "../model/state";

const TAB_OF: Record<string, Tab> = { analyse: "analysis", solve: "analysis", defend: "analysis", prove: "prove", game: "game", move: "play" };

export function tabOf(kind: string): Tab {
  return TAB_OF[kind] ?? "analysis";
}

export const busyTabs = computed(() => {
  const here = busyTasks.value.filter((task) => task.document === open.value?.id && task.state === "running");
  return new Set(here.map((task) => tabOf(task.kind)));
});
