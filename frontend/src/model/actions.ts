// What people do. Edits are asked of the server, and happen here when it tells of them.

import { batch } from "@preact/signals";
import { request, RequestError } from "../net/request";
import type { DeskView, DocumentView, Done, Hints, Made, PlayedGameView, PlayedGames, Question, ServerEvent, TaskList, TaskView } from "../net/types";
import { text } from "../texts";
import { RecordTree, type TreeNode } from "./record";
import { keyOf, nameOf, type Square } from "./squares";
import {
  busyTasks,
  collections,
  current,
  currentId,
  desk,
  documents,
  gameHere,
  games,
  hints,
  notice,
  open,
  pending,
  position,
  preview,
  saving,
  setUp,
  settings,
  tasks,
  tool,
  version,
} from "./state";

export function say(words: string, isError = false): void {
  notice.value = { text: words, isError };
}

// Runs something that asks the server; what goes wrong is said, and nothing is lost.
export async function trying<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    say(error.message, true);
    return null;
  }
}

// Documents

export async function load(): Promise<void> {
  await trying(async () => {
    desk.value = await request<DeskView>("GET", "/api/desk");
    documents.value = desk.value.documents;
    collections.value = desk.value.collections;
    const known = await request<TaskList>("GET", "/api/tasks");
    tasks.value = new Map(known.tasks.map((task) => [task.id, task]));
    const played = await request<PlayedGames>("GET", "/api/games");
    games.value = new Map(played.games.map((game) => [game.document, game]));
    await openFromAddress();
  });
}

export async function openFromAddress(): Promise<void> {
  const shared = new URLSearchParams(location.hash.slice(1));
  const id = shared.get("record");
  const position = shared.get("position");
  if (position) return openText(position);
  if (id && (await openDocument(id, Number(shared.get("node") ?? NaN)))) return;
  await openAnother();
}

export async function openDocument(id: string, node = NaN): Promise<boolean> {
  const isOpen = await trying(async () => {
    const view = await request<DocumentView>("GET", `/api/documents/${id}`);
    const tree = new RecordTree(view.nodes);
    batch(() => {
      open.value = { ...view, tree };
      version.value += 1;
      goTo(Number.isNaN(node) ? endOfMainLine(tree.root).id : node);
      setUp.value = null;
    });
    return true;
  });
  return isOpen !== null;
}

// The record that was changed last; an empty one where there is none.
export async function openAnother(): Promise<void> {
  const last = documents.value.find((entry) => entry.id !== open.value?.id);
  if (last) await openDocument(last.id);
  else await newDocument("connect6");
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

export async function newDocument(game: string): Promise<void> {
  await made({ game });
}

export async function openText(content: string, title?: string): Promise<void> {
  await made({ text: content, ...(title ? { title } : {}) });
}

async function made(body: { game?: string; text?: string; title?: string }): Promise<void> {
  await trying(async () => {
    const { document, collection, skipped } = await request<Made>("POST", "/api/documents", body);
    if (collection) say(skipped > 0 ? text("collectionCut", collection.size, skipped) : text("collectionOpened", collection.size));
    await openDocument(document.id);
  });
}

export async function removeDocument(id: string): Promise<void> {
  await trying(async () => {
    await request("DELETE", `/api/documents/${id}`);
    if (open.value?.id === id) await openAnother();
  });
}

export async function rename(title: string): Promise<void> {
  const document = open.value;
  if (!document || !title.trim() || title === document.title) return;
  await trying(async () => {
    await request("PATCH", `/api/documents/${document.id}`, { title });
    open.value = { ...document, title };
  });
}

// Edits

// Edits are made one after the other, each where the one before has led.
let lastEdit: Promise<unknown> = Promise.resolve();

export function edit(what: string, makeBody: (node: number) => object): Promise<number | null> {
  saving.value = "saving";
  const result = lastEdit.then(() => editNow(what, makeBody));
  lastEdit = result;
  void result.then(() => {
    if (lastEdit === result && saving.value === "saving") saving.value = "saved";
  });
  return result;
}

async function editNow(what: string, makeBody: (node: number) => object): Promise<number | null> {
  const document = open.value;
  if (!document) return null;
  const body = makeBody(current.value!.id);
  const done = await trying(() => request<Done>("POST", `/api/documents/${document.id}/${what}`, body));
  if (!done) saving.value = "failed";
  if (done && done.revision > open.value!.revision) await caughtUp(done.revision);
  // In a game the other side may have moved already.
  if (done && done.node !== currentId.value && !what.startsWith("game/")) goTo(done.node);
  return done?.node ?? null;
}

// Answers may come before the events that they are about.
function caughtUp(revision: number): Promise<void> {
  return new Promise((resolve) => {
    const end = Date.now() + 3000;
    const look = () => ((open.value?.revision ?? revision) >= revision || Date.now() > end ? resolve() : setTimeout(look, 4));
    look();
  });
}

export function playLine(moves: string[]): Promise<number | null> {
  pending.value = [];
  preview.value = [];
  const game = gameHere.value;
  if (game && !game.result && game.node === current.value!.id && moves.length === 1) return edit("game/move", () => ({ move: moves[0] }));
  return edit("play", (node) => ({ node, moves }));
}

// A click on a square does what the chosen tool does.
export async function touch(square: Square): Promise<void> {
  const here = position.value;
  const document = open.value;
  if (!here || !document) return;
  const name = nameOf(square);
  if (setUp.value) return placeFreely(square);
  if (tool.value === "label") {
    const label = prompt(text("labelPrompt"), "");
    if (label !== null) await edit("label", (node) => ({ node, square: name, text: label }));
  } else if (tool.value !== "play") {
    const mark = tool.value;
    await edit("mark", (node) => ({ node, mark, square: name }));
  } else if (pending.value.some((stone) => nameOf(stone) === name)) {
    pending.value = pending.value.filter((stone) => nameOf(stone) !== name);
  } else if (!here.stones.has(keyOf(square.x, square.y)) && !here.winner) {
    const stones = [...pending.value, square];
    if (stones.length < here.stonesLeft) pending.value = stones;
    else await playLine([stones.map(nameOf).join("")]);
  }
}

// What there is of a move that was begun.
export async function playPending(): Promise<void> {
  if (pending.value.length > 0) await playLine([pending.value.map(nameOf).join("")]);
}

export const undo = () => edit("undo", () => ({}));
export const redo = () => edit("redo", () => ({}));

export async function removeBranch(): Promise<void> {
  if (current.value?.parent) await edit("remove", (node) => ({ node }));
}

// Setting up

export function beginSetUp(): void {
  const here = position.value;
  if (!here) return;
  const of = (colour: string) => [...here.stones.values()].filter((stone) => stone.colour === colour).map(({ x, y }) => ({ x, y }));
  setUp.value = { black: of("black"), white: of("white"), turn: here.turn };
  tool.value = "black";
}

function placeFreely(square: Square): void {
  const stones = setUp.value!;
  const without = (list: Square[]) => list.filter(({ x, y }) => x !== square.x || y !== square.y);
  const colour = tool.value === "white" ? "white" : "black";
  const had = stones[colour].length !== without(stones[colour]).length;
  const next = { ...stones, black: without(stones.black), white: without(stones.white) };
  if (!had) next[colour] = [...next[colour], square];
  setUp.value = next;
}

export async function endSetUp(keep: boolean): Promise<void> {
  const stones = setUp.value;
  if (!stones) return;
  if (keep) {
    const { black, white, turn } = stones;
    const done = await edit("setup", (node) => ({ node, black: black.map(nameOf), white: white.map(nameOf), turn }));
    if (done === null) return;
  }
  setUp.value = null;
  tool.value = "play";
}

// Going about

export function goTo(id: number): void {
  batch(() => {
    currentId.value = id;
    pending.value = [];
    preview.value = [];
  });
  const document = open.value;
  if (document) history.replaceState(null, "", `#record=${document.id}&node=${id}`);
  void lookForHints();
}

export function step(by: number): void {
  let node = current.value;
  for (let left = Math.abs(by); node && left > 0; --left) {
    const next: TreeNode | null | undefined = by < 0 ? node.parent : (lastVisited(node) ?? node.children[0]);
    if (!next) break;
    if (by < 0) visited.set(next.id, node.id);
    node = next;
  }
  if (node) goTo(node.id);
}

// Going back and forth stays in the variation that one came from.
const visited = new Map<number, number>();

function lastVisited(node: TreeNode): TreeNode | undefined {
  const id = visited.get(node.id);
  return node.children.find((child) => child.id === id);
}

export function toSibling(by: number): void {
  const node = current.value;
  const siblings = node?.parent?.children;
  if (!node || !siblings) return;
  const next = siblings[(siblings.indexOf(node) + by + siblings.length) % siblings.length];
  if (next) goTo(next.id);
}

export function toStart(): void {
  if (open.value) goTo(open.value.tree.root.id);
}

export function toEnd(): void {
  if (current.value) goTo(endOfMainLine(current.value).id);
}

function endOfMainLine(node: TreeNode): TreeNode {
  while (node.children[0]) node = node.children[0];
  return node;
}

// Analyses

export async function ask(question: Omit<Question, "document" | "node" | "agent" | "on_grid"> & { agent?: string; on_grid?: boolean }): Promise<void> {
  const document = open.value;
  if (!document) return;
  const task = await trying(() =>
    request<TaskView>("POST", "/api/tasks", { agent: "engine", ...question, document: document.id, node: current.value!.id }),
  );
  if (task) noteTask(task);
}

export function toggleAnalysis(): Promise<void> {
  if (busyTasks.value.length > 0) return stopAll();
  return ask({ kind: "analyse", seconds: 3600, lines: settings.value.lines });
}

export const solve = () => ask({ kind: "solve", win: "vcst", seconds: 20, zones: true });
export const defend = () => ask({ kind: "defend", order: 2, seconds: 60 });

export async function stopAll(): Promise<void> {
  await trying(() => request("DELETE", "/api/tasks"));
}

export async function stopTask(id: number): Promise<void> {
  await trying(() => request("DELETE", `/api/tasks/${id}`));
}

export async function hint(task: number, words: string): Promise<void> {
  await trying(() => request("POST", `/api/tasks/${task}/hint`, { text: words }));
}

// The answer to a request may come after events that are newer.
const STAGES = ["waiting", "running", "done"];

function noteTask(task: TaskView): void {
  const stage = ({ state }: TaskView) => STAGES.indexOf(state === "stopped" || state === "failed" ? "done" : state);
  const known = tasks.value.get(task.id);
  if (known && stage(known) > stage(task)) return;
  tasks.value = new Map(tasks.value).set(task.id, task);
}

export async function lookForHints(): Promise<void> {
  const document = open.value;
  const node = current.value;
  if (!settings.value.threats || !document || !node) return;
  const at = version.value;
  if (hints.value?.node === node.id && hints.value.version === at) return;
  const found = await trying(() => request<Hints>("GET", `/api/documents/${document.id}/hints?node=${node.id}`));
  if (found) hints.value = { node: node.id, version: at, found };
}

// Games

export async function beginGame(black: string, white: string, control: string): Promise<void> {
  const document = open.value;
  if (!document) return;
  const game = await trying(() =>
    request<PlayedGameView>("POST", `/api/documents/${document.id}/game`, { node: current.value!.id, black, white, control }),
  );
  if (game) noteGame(game);
}

async function onGame(what: string): Promise<void> {
  const document = open.value;
  if (!document) return;
  const game = await trying(() => request<PlayedGameView>("POST", `/api/documents/${document.id}/game/${what}`, {}));
  if (game) noteGame(game);
}

export const takeBack = () => onGame("back");
export const resign = () => onGame("resign");

export async function endGame(): Promise<void> {
  const document = open.value;
  if (!document) return;
  await trying(() => request("DELETE", `/api/documents/${document.id}/game`));
  games.value = new Map([...games.value].filter(([id]) => id !== document.id));
}

// Whoever looks at the last position of a game goes on with it.
let followed: number | null = null; // where he is being taken

function noteGame(game: PlayedGameView): void {
  const before = games.value.get(game.document);
  if (game.result === "Void" || (before && before.serial > game.serial)) return;
  games.value = new Map(games.value).set(game.document, game);
  const isFollowing = !before || before.node === currentId.value || before.node === followed;
  if (open.value?.id === game.document && isFollowing && game.node !== currentId.value) void follow(game.node);
}

// The event about the game may come before the one about the record.
async function follow(node: number): Promise<void> {
  followed = node;
  for (let tries = 0; tries < 300 && !open.value?.tree.nodes.has(node); ++tries) await new Promise((resolve) => setTimeout(resolve, 10));
  if (followed !== node) return;
  followed = null;
  goTo(node);
}

// What the server tells

export function take(events: ServerEvent[]): void {
  batch(() => {
    for (const event of events) {
      if (event.on === "changed") takeChanges(event);
      else if (event.on === "desk") {
        documents.value = event.documents;
        collections.value = event.collections;
      }
      else if (event.on === "task") noteTask(event.task);
      else if (event.on === "game") noteGame(event.game);
      else void refresh();
    }
  });
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
