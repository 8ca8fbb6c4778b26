// Questions to programs, and what comes of them.

import { request } from "../net/request";
import type { Hints, Question, TaskView } from "../net/types";
import { placeNow, trying } from "./actions";
import { busyTasks, change, current, hints, isNarrow, open, settings, tasks, version } from "./state";

type Asked = Omit<Question, "document" | "node" | "agent" | "on_grid"> & { agent?: string; on_grid?: boolean };

// About the position that one looks at, also if the move that leads there is still on its way.
export async function ask(question: Asked, at = placeNow()): Promise<void> {
  const place = await at;
  if (!place) return;
  const body = { agent: "engine", ...question, document: place.document.id, node: place.node };
  await begin("/api/tasks", body);
}

// Twice the same question at the same time is one too many.
const begun = new Set<string>();

export async function begin(path: string, body?: object): Promise<void> {
  const key = JSON.stringify([path, body]);
  if (begun.has(key)) return;
  begun.add(key);
  const task = await trying(() => request<TaskView>("POST", path, body)).finally(() => begun.delete(key));
  if (task) noteTask(task);
}

// Of a record one position is analysed at a time: the analysis comes along to where it is asked for.
let toggled: Promise<unknown> = Promise.resolve();

export function toggleAnalysis(): Promise<void> {
  const at = placeNow();
  const mine = toggled.then(async () => {
    const place = await at;
    if (!place) return;
    const left = busyTasks.value.filter((task) => task.kind === "analyse" && task.document === place.document.id);
    const isHere = left.some(({ node }) => node === place.node);
    await Promise.all(left.map(({ id }) => stopTask(id)));
    if (!isHere) await analyse(3600, at);
  });
  toggled = mine.catch(() => undefined);
  return mine;
}

// What is asked for is shown, whichever panel was open.
export function analyse(seconds: number, at = placeNow()): Promise<void> {
  showAnalyses();
  return ask({ kind: "analyse", seconds, lines: settings.value.lines }, at);
}

export function solve(): Promise<void> {
  showAnalyses();
  return ask({ kind: "solve", win: "vcst", seconds: 20, zones: true });
}

export function defend(): Promise<void> {
  showAnalyses();
  return ask({ kind: "defend", order: 2, seconds: 60 });
}

// On a narrow screen the board shows it too, and one stays where one is.
function showAnalyses(): void {
  if (settings.value.tab !== "analysis" && !isNarrow.value) change({ tab: "analysis" });
}

export async function stopAll(): Promise<void> {
  await trying(() => request("DELETE", "/api/tasks"));
}

export async function stopTask(id: number): Promise<void> {
  await trying(() => request("DELETE", `/api/tasks/${id}`));
}

// Somebody looks below a node of a proof's tree.
export async function openBranch(task: number, node: number): Promise<void> {
  await trying(() => request("POST", `/api/tasks/${task}/open`, { node }));
}

export async function hint(task: number, words: string): Promise<void> {
  await trying(() => request("POST", `/api/tasks/${task}/hint`, { text: words }));
}

const KEPT = 50; // tasks that have ended; the server keeps as many
const STAGES = ["waiting", "running"]; // and then the end, of whatever kind

function stageOf({ state }: TaskView): number {
  const stage = STAGES.indexOf(state);
  return stage < 0 ? STAGES.length : stage;
}

export function noteTask(task: TaskView): void {
  const known = tasks.value.get(task.id);
  // The answer to a request may come after events that are newer.
  if (known && stageOf(known) > stageOf(task)) return;
  const now = new Map(tasks.value).set(task.id, task);
  const ended = [...now.values()].filter((one) => stageOf(one) === STAGES.length);
  for (const { id } of ended.slice(0, -KEPT)) now.delete(id);
  tasks.value = now;
}

export async function lookForHints(): Promise<void> {
  const document = open.value;
  const node = current.value;
  if (!settings.value.threats || !document || !node) return;
  const at = version.value;
  if (hints.value?.node === node.id && hints.value.version === at) return;
  const found = await trying(() => request<Hints>("GET", `/api/documents/${document.id}/hints?node=${node.id}`));
  if (found && open.value?.id === document.id && current.value?.id === node.id) hints.value = { node: node.id, version: at, found };
}
