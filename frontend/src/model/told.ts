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
  const [known, played] = await Promise.all([
    request<TaskList>("GET", "/api/tasks"),
    request<PlayedGames>("GET", "/api/games"),
    lookAtDesk(),
  ]);
  batch(() => {
    tasks.value = new Map(known.tasks.map((task) => [task.id, task]));
    games.value = new Map(played.games.map((game) => [game.document, game]));
  });
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
let isFirst = true;

async function catchUp(): Promise<void> {
  const isKnown = isFirst;
  isFirst = false;
  if (!open.value) return load(); // nobody answered when the page began
  // At first only the record that an empty desk was given is not known yet.
  await trying(isKnown ? lookAtDesk : lookAround);
  await refresh();
}

// What was missed while nobody listened. Who looks at the record stays where he is.
async function refresh(): Promise<void> {
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
      if (!tree.nodes.has(currentId.value)) goTo(tree.root.id);
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

function takeChanges(event: Extract<ServerEvent, { on: "changed" }>): void {
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
    if (node !== here) goTo(node.id);
    break;
  }
}
