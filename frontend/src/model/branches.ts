// Branches that are cut, copied, pasted and moved up; other files merged into the record.

import { request } from "../net/request";
import { text } from "../texts";
import { edit, placeNow, say, trying } from "./actions";
import { pathTo } from "./record";
import { open, page } from "./state";

// What was copied last, in whichever window: the text of the clipboard leads from the root to the branch.
interface Copied {
  readonly content: string;
  readonly depth: number;
}

const KEY = "tengen-branch";

// Returns the node at which the branch begins; null if there is none any more.
export async function copyBranch(at = placeNow()): Promise<number | null> {
  const place = await at;
  const node = place?.document.tree.nodes.get(place.node);
  if (!place || !node) return null;
  const content = await trying(() => request<string>("GET", `/api/documents/${place.document.id}/file?format=sgf&node=${node.id}`));
  if (content === null) return null;
  localStorage.setItem(KEY, JSON.stringify({ content, depth: pathTo(node).length - 1 } satisfies Copied));
  await navigator.clipboard?.writeText(content).catch(() => undefined); // the copy of our own is enough here
  say(text("branchCopied"));
  return node.id;
}

// What is removed is what was copied, wherever one is by then.
export async function cutBranch(): Promise<void> {
  const at = placeNow();
  const place = await at;
  if (!place?.document.tree.nodes.get(place.node)?.parent) return;
  const copied = await copyBranch(at);
  if (copied !== null && open.value?.id === place.document.id) await edit("remove", () => ({ node: copied }));
}

// A branch that was copied here goes after the node; moves too; a whole record is merged from the beginning on.
export async function paste(content: string): Promise<void> {
  const copied = lastCopied();
  if (copied && isSame(copied.content, content)) {
    await edit("paste", (node, { tree }) => ({ node: copied.depth > 0 ? node : tree.root.id, text: content, skip: copied.depth }));
  } else if (looksLikeMoves(content)) {
    await edit("play", (node) => ({ node, moves: content.trim().split(/\s+/) }));
  } else {
    await merge(content);
  }
}

// What is pasted where the record is seen, anywhere but in a field for text.
export function listenToPaste(): void {
  document.addEventListener("paste", (event) => {
    const content = page.value === "bench" && event.clipboardData?.getData("text/plain");
    if (content && !(event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement)) void paste(content);
  });
}

export async function pasteLastCopied(): Promise<void> {
  const copied = lastCopied();
  if (copied) await paste(copied.content);
}

export async function merge(content: string): Promise<void> {
  const document = open.value;
  if (!document) return;
  const before = document.tree.nodes.size;
  const node = await edit("paste", (_, { tree }) => ({ node: tree.root.id, text: content }));
  if (node !== null && open.value?.id === document.id) say(text("merged", open.value.tree.nodes.size - before));
}

export const promote = (toMain: boolean) => edit("promote", (node) => ({ node, to_main: toMain }));

function lastCopied(): Copied | null {
  return JSON.parse(localStorage.getItem(KEY) ?? "null") as Copied | null;
}

// Clipboards may change the ends of lines.
function isSame(one: string, other: string): boolean {
  return one.replace(/\s+/g, "") === other.replace(/\s+/g, "");
}

function looksLikeMoves(content: string): boolean {
  return /^\s*([A-Za-z]{1,2}\d{1,2}[ ,]*)+\s*$/.test(content);
}
