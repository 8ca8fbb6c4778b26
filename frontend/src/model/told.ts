// What the server tells without being asked.

import { batch } from "@preact/signals";
import { request } from "../net/request";
import type { DeskView, DocumentView, PlayedGames, ServerEvent, TaskList } from "../net/types";
import { goTo, load, trying } from "./actions";
import { noteTask } from "./analyses";
import { noteGame } from "./games";
import { RecordTree } from "./record";
import { collections, current, currentId, desk, documents, games, open, tasks, version } from "./state";

// What there is besides the record that is shown.
export async function lookAround(): Promise<void> {
  const [tasksBefore, gamesBefore] = [tasks.value, games.value];
  const [known, played] = await Promise.all([
    request<TaskList>("GET", "/api/tasks"),
    request<PlayedGames>("GET", "/api/games"),
    lookAtDesk(),
  ]);
  batch(() => {
    tasks.value = newest(new Map(known.tasks.map((task) => [task.id, task])), tasksBefore, tasks.value);
    games.value = newest(new Map(played.games.map((game) => [game.document, game])), gamesBefore, games.value);
  });
}

// What was told while the answer was on its way is newer than the answer: also that something is gone.
function newest<Key, Value>(answered: Map<Key, Value>, before: ReadonlyMap<Key, Value>, now: ReadonlyMap<Key, Value>): Map<Key, Value> {
  for (const key of before.keys()) if (!now.has(key)) answered.delete(key);
  for (const [key, value] of now) if (before.get(key) !== value) answered.set(key, value);
  return answered;
}

let timesTold = 0; // of the desk

async function lookAtDesk(): Promise<void> {
  const before = timesTold;
  const found = await request<DeskView>("GET", "/api/desk");
  batch(() => {
    desk.value = found;
    if (before === timesTold) noteDesk(found); // else what was told meanwhile is newer
  });
}

function noteDesk(found: Pick<DeskView, "documents" | "collections">): void {
  documents.value = found.documents;
  collections.value = found.collections;
  const document = open.value;
  const title = found.documents.find(({ id }) => id === document?.id)?.title;
  if (document && title && title !== document.title) open.value = { ...document, title };
}

// The connection is made: what was missed until now is asked for. It may be another server than before.
async function catchUp(): Promise<void> {
  if (!open.value) return load(); // nobody answered when the page began
  await trying(lookAround);
  await refresh();
}

// What was missed while nobody listened. Who looks at the record stays where he is.
export async function refresh(): Promise<void> {
  const id = open.value?.id;
  if (!id) return;
  await trying(async () => {
    const view = await request<DocumentView>("GET", `/api/documents/${id}`);
    const now = open.value;
    if (now?.id !== id || view.revision <= now.revision) return;
    const tree = new RecordTree(view.nodes);
    batch(() => {
      open.value = { ...view, tree };
      version.value += 1;
      if (!tree.nodes.has(currentId.value)) goTo(tree.root.id, false);
    });
  });
}

export function take(events: ServerEvent[]): void {
  batch(() => {
    for (const event of events) {
      if (event.on === "changed") takeChanges(event);
      else if (event.on === "desk") takeDesk(event);
      else if (event.on === "task") noteTask(event.task);
      else if (event.on === "game") noteGame(event.game);
      else void catchUp();
    }
  });
}

function takeDesk(event: Extract<ServerEvent, { on: "desk" }>): void {
  timesTold += 1;
  noteDesk(event);
}

// The newest revision of each record that was told of: one that is being opened may be older than what is known.
const revisions = new Map<string, number>();

export function isOutdated({ id, revision }: { id: string; revision: number }): boolean {
  return (revisions.get(id) ?? 0) > revision;
}

function takeChanges(event: Extract<ServerEvent, { on: "changed" }>): void {
  revisions.set(event.document, event.revision);
  const document = open.value;
  if (!document || document.id !== event.document || event.revision <= document.revision) return;
  if (event.revision > document.revision + 1) {
    void refresh();
    return;
  }
  const here = current.value;
  for (const change of event.changes) document.tree.apply(change);
  open.value = { ...document, revision: event.revision, undo: event.undo, redo: event.redo };
  version.value += 1;
  for (let node = here; node; node = node.parent) {
    if (!document.tree.nodes.has(node.id)) continue;
    if (node !== here) goTo(node.id, false);
    break;
  }
}
