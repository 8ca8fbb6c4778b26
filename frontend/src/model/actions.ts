// What people do. Edits are asked of the server, and happen here when it tells of them.

import { batch } from "@preact/signals";
import { ConnectionError, Refusal, request, RequestError } from "../net/request";
import type { DocumentView, Done, Made } from "../net/types";
import { text } from "../texts";
import { lookForHints } from "./analyses";
import { RecordTree, type TreeNode } from "./record";
import { keyOf, nameOf, type Square } from "./squares";
import {
  connection,
  current,
  currentId,
  documents,
  gameHere,
  games,
  laid,
  notice,
  open,
  type OpenDocument,
  type Page,
  page,
  PAGES,
  pending,
  position,
  preview,
  saving,
  setUp,
  tool,
  unsent,
  version,
} from "./state";
import { isOutdated, lookAround, refresh } from "./told";

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

export function showPage(wanted: Page): void {
  if (wanted === page.value) return;
  page.value = wanted;
  history.pushState(null, "", wanted === "bench" ? addressHere() : `#${wanted}`);
}

export function togglePage(wanted: Page): void {
  showPage(page.value === wanted ? "bench" : wanted);
}

function addressHere(): string {
  return `#record=${open.value?.id}&node=${currentId.value}`;
}

export async function load(): Promise<void> {
  await trying(async () => {
    await lookAround();
    await openFromAddress();
  });
}

export async function openFromAddress(): Promise<void> {
  page.value = PAGES.find((name) => location.hash.split("=")[0] === `#${name}`) ?? "bench";
  if (page.value !== "bench" && open.value) return;
  const shared = new URLSearchParams(location.hash.slice(1));
  const id = shared.get("record");
  const position = shared.get("position");
  if (position) await openText(position);
  else if (!id || !(await openDocument(id, Number(shared.get("node") ?? NaN)))) return openAnother();
  if (!open.value) await openAnother(); // the position in the link is none
}

// The record that was asked for last is shown, whichever answer comes last.
let timesAsked = 0;

// Whether that was done, or something else is wanted by now.
export async function openDocument(id: string, node = NaN): Promise<boolean> {
  const asked = ++timesAsked;
  const isDone = await trying(async () => {
    const view = await request<DocumentView>("GET", `/api/documents/${encodeURIComponent(id)}`); // a link may say anything
    if (asked !== timesAsked) return true;
    const tree = new RecordTree(view.nodes);
    rememberWayBack(id);
    batch(() => {
      open.value = { ...view, tree };
      version.value += 1;
      goTo(Number.isNaN(node) ? endOfMainLine(tree.root).id : node);
      setUp.value = null;
    });
    if (isOutdated(view)) await refresh();
    return true;
  });
  return isDone !== null || asked !== timesAsked;
}

// The way back leads to the record that was open, unless this one was come to by just that way.
function rememberWayBack(next: string): void {
  const isThere = new URLSearchParams(location.hash.slice(1)).get("record") === next;
  if (open.value && page.value === "bench" && !isThere) history.pushState(null, "", `#record=${next}`);
}

// The record that was changed last; an empty one where there is none.
export async function openAnother(): Promise<void> {
  const last = documents.value.find((entry) => entry.id !== open.value?.id);
  if (last) await openDocument(last.id);
  else await newDocument("connect6");
}

// What somebody asks for he wants to see, whichever page is shown.
export async function openOnBench(id: string): Promise<void> {
  if (await openDocument(id)) showPage("bench");
}

// Returns the new record; null if there is none.
export async function newDocumentOnBench(game: string): Promise<string | null> {
  const id = await newDocument(game);
  if (id) showPage("bench");
  return id;
}

export async function openText(content: string, title?: string): Promise<void> {
  if (await made({ text: content, ...(title ? { title } : {}) })) showPage("bench");
}

function newDocument(game: string): Promise<string | null> {
  return made({ game });
}

// Who asks twice before the first answer wants one record, not two.
const underWay = new Map<string, Promise<string | null>>();

function made(body: { game?: string; text?: string; title?: string }): Promise<string | null> {
  const key = JSON.stringify(body);
  const before = underWay.get(key);
  if (before) return before;
  const asked = ++timesAsked;
  const making = trying(async () => {
    const { document, collection, skipped } = await request<Made>("POST", "/api/documents", body);
    if (collection) say(skipped > 0 ? text("collectionCut", collection.size, skipped) : text("collectionOpened", collection.size));
    return asked !== timesAsked || (await openDocument(document.id)) ? document.id : null;
  }).finally(() => underWay.delete(key));
  underWay.set(key, making);
  return making;
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
    if (isOpen(document.id)) open.value = { ...open.value!, title };
  });
}

// Edits

const IN_GAME = "game/move";

// Who edits in these ways wants to see where it leads; a comment or a mark leaves everybody where he is.
const MOVING = ["play", "paste", "remove", "setup", "undo", "redo"];

// Edits are made one after the other, each in the record and at the node that one looked at. Who goes on before the answer
// has come, and has not gone elsewhere, means the node where the edit before will have led.
interface Edit {
  readonly document: string;
  readonly steps: number;
  readonly led: Promise<Done>;
}

type MakeEdit = (node: number, document: OpenDocument) => [what: string, body: object];

let lastEdit: Edit | null = null; // none if nothing waits
let lastMoving: Promise<unknown> | null = null; // the same of edits that lead elsewhere
let steps = 0; // how often somebody went elsewhere himself

export function edit(what: string, makeBody: (node: number, document: OpenDocument) => object): Promise<number | null> {
  return editBy((node, document) => [what, makeBody(node, document)], MOVING.includes(what));
}

// What is asked of the server, and the body, are made when its turn has come.
async function editBy(make: MakeEdit, isMoving: boolean): Promise<number | null> {
  const since = steps;
  const done = await inTurn((place, document) => editNow(document, place, make, () => since === steps), isMoving);
  return done?.node ?? null;
}

// Where one will be once all that was asked of the server before is done.
export async function placeNow(): Promise<{ readonly document: OpenDocument; readonly node: number } | null> {
  const document = open.value;
  if (!document) return null;
  const { node } = await placeAfter(lastEdit, document, current.value!.id, steps);
  return { document, node };
}

// Runs something on the open record once all that was asked of the server before is done. Another record may be open by then.
export async function inTurn(work: (place: Done, document: OpenDocument) => Promise<Done | null>, isMoving = true): Promise<Done | null> {
  const document = open.value;
  if (!document) return null;
  const place = placeAfter(lastEdit, document, current.value!.id, steps);
  const result = place.then((at) => work(at, document));
  // Whatever goes wrong with one, those after it are made.
  const led = result.then(
    (done) => done ?? place,
    () => {
      saving.value = "failed";
      return place;
    },
  );
  const waiting = { document: document.id, steps, led };
  saving.value = "saving";
  unsent.value += 1;
  lastEdit = waiting;
  if (isMoving) lastMoving = led;
  void led.then(() => {
    unsent.value -= 1;
    if (lastMoving === led) lastMoving = null;
    if (lastEdit !== waiting) return;
    lastEdit = null;
    if (saving.value === "saving") saving.value = "saved";
  });
  return result;
}

async function placeAfter(before: Edit | null, document: OpenDocument, from: number, since: number): Promise<Done> {
  const led = await before?.led;
  if (!led || before?.document !== document.id) return { node: from, revision: document.revision };
  return { node: before.steps === since ? led.node : from, revision: Math.max(document.revision, led.revision) };
}

// Who has gone elsewhere meanwhile is left there.
async function editNow(document: OpenDocument, place: Done, make: MakeEdit, isFollowing: () => boolean): Promise<Done | null> {
  const [what, body] = make(place.node, document);
  let isUnsaved = false; // an illegal move leaves nothing to save, a comment that is refused does
  const done = await trying(() =>
    persistently(what, document.id, place, body).catch((error: unknown) => {
      isUnsaved = !(error instanceof Refusal) || what === "comment";
      throw error;
    }),
  );
  saving.value = isUnsaved ? "failed" : "saving";
  if (!done) return null;
  await caughtUp(document.id, done.revision);
  if (what === IN_GAME) {
    await followed(document.id, place.node);
    // The other side may have moved already.
    return isOpen(document.id) ? { ...done, node: currentId.value } : done;
  }
  if (!MOVING.includes(what)) return { ...done, node: place.node };
  // Who looked at what is gone was taken along when it went; whoever is elsewhere stays there.
  if (what === "remove") return isOpen(document.id) ? { ...done, node: currentId.value } : done;
  if (isOpen(document.id) && isFollowing() && done.node !== currentId.value) goTo(done.node, false);
  return done;
}

function isOpen(document: string): boolean {
  return open.value?.id === document;
}

// Until the game has gone on from a node, and whoever watches it with it: the next move belongs there.
function followed(document: string, from: number): Promise<void> {
  return until(() => {
    const game = gameHere.value;
    return !isOpen(document) || !game || game.result !== null || (game.node !== from && currentId.value !== from);
  });
}

// What may be asked twice without harm: the second time nothing happens, or the same.
const REPEATABLE = ["play", "comment", "label", "info"];

// If the server is away, an edit waits for its return. It may have been made just before: then it is not made again.
async function persistently(what: string, id: string, place: Done, body: object): Promise<Done> {
  const revision = isOpen(id) ? open.value!.revision : place.revision;
  for (;;) {
    try {
      return await request<Done>("POST", `/api/documents/${id}/${what}`, body);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    const now = await reconnected(id);
    if (now > revision && !REPEATABLE.includes(what)) return { revision: now, node: isOpen(id) ? currentId.value : place.node };
  }
}

// Waits for the server; returns the revision that it has of a document.
async function reconnected(id: string): Promise<number> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    try {
      if (connection.value === "open") return (await request<DocumentView>("GET", `/api/documents/${id}`)).revision;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
}

// Answers may come before the events that they are about.
async function caughtUp(document: string, revision: number): Promise<void> {
  const hasCome = () => !isOpen(document) || open.value!.revision >= revision;
  await until(hasCome);
  if (!hasCome()) await refresh(); // nobody tells: the page may not listen yet
}

// A few seconds at most.
function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = Date.now() + 3000;
    const look = () => (isSo() || Date.now() > end ? resolve() : setTimeout(look, 4));
    look();
  });
}

export function playLine(moves: string[]): Promise<number | null> {
  pending.value = [];
  preview.value = [];
  return editBy((node, { id }) => {
    const game = games.value.get(id);
    const isInGame = game && !game.result && game.node === node && moves.length === 1;
    return isInGame ? [IN_GAME, { move: moves[0], node }] : ["play", { node, moves }];
  }, true);
}

// A click that comes before the answer to a move is about the position after it. Who goes elsewhere meanwhile has thought better of it.
let touches: Promise<unknown> = Promise.resolve();

export async function touch(square: Square): Promise<void> {
  if (laid.value) {
    await laid.value.touch(square);
    return;
  }
  if (setUp.value || tool.value !== "play") return touchNow(square);
  const [since, id] = [steps, open.value?.id];
  const touched = touches.then(async () => {
    while (lastMoving) await lastMoving;
    if (since === steps && open.value?.id === id && !laid.value) await touchNow(square);
  });
  touches = touched.catch(() => undefined);
  return touched;
}

// A click on a square does what the chosen tool does.
async function touchNow(square: Square): Promise<void> {
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

let keptSetUp: object | null = null; // it is kept once, however often somebody says so

export async function endSetUp(keep: boolean): Promise<void> {
  const stones = setUp.value;
  if (!stones || (keep && keptSetUp === stones)) return;
  if (keep) {
    const { black, white, turn } = stones;
    keptSetUp = stones;
    const done = await edit("setup", (node) => ({ node, black: black.map(nameOf), white: white.map(nameOf), turn }));
    keptSetUp = null;
    if (done === null || setUp.value !== stones) return;
  }
  setUp.value = null;
  tool.value = "play";
}

// Going about

// Somebody goes there himself, unless told that he is taken there.
export function goTo(id: number, isOwnStep = true): void {
  if (isOwnStep) steps += 1;
  batch(() => {
    currentId.value = id;
    pending.value = [];
    preview.value = [];
  });
  if (open.value && page.value === "bench") history.replaceState(null, "", addressHere());
  void lookForHints();
}

export function step(by: number): void {
  let node = current.value;
  for (let left = Math.abs(by); node && left > 0; --left) {
    const next: TreeNode | null | undefined = by < 0 ? node.parent : (lastVisited(node) ?? node.children[0]);
    if (!next) break;
    if (by < 0) visited.set(next, node);
    node = next;
  }
  if (node) goTo(node.id);
}

// Going back and forth stays in the variation that one came from.
const visited = new WeakMap<TreeNode, TreeNode>();

function lastVisited(node: TreeNode): TreeNode | undefined {
  return node.children.find((child) => child === visited.get(node));
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
