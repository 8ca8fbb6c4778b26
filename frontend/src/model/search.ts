// Finding things in the record: texts, and the same position elsewhere.

import { computed, effect, signal } from "@preact/signals";
import { request } from "../net/request";
import type { Findings, SamePosition } from "../net/types";
import { goTo, trying } from "./actions";
import { walk } from "./record";
import { currentId, open } from "./state";

const PATIENCE = 350; // ms: who walks through a record does not stop at every node

export const wanted = signal("");
export const found = signal<{ readonly text: string; readonly nodes: number[]; readonly isCut: boolean } | null>(null);
export const sameElsewhere = signal<number[]>([]);

export async function search(): Promise<void> {
  const document = open.value;
  const text = wanted.value.trim();
  if (!document || !text) {
    found.value = null;
    return;
  }
  const answers = await trying(() =>
    Promise.all(spellings(text).map((one) => request<Findings>("GET", `/api/documents/${document.id}/find?text=${encodeURIComponent(one)}`))),
  );
  if (!answers || wanted.value.trim() !== text || open.value?.id !== document.id) return;
  const places = new Set(answers.flatMap((answer) => answer.found.map(({ node }) => node)));
  const nodes = [...walk(document.tree.root)].map(({ id }) => id).filter((id) => places.has(id));
  found.value = { text, nodes, isCut: answers.some(({ truncated }) => truncated) };
}

// A move of two stones is found in whichever order, and however apart, it is written.
function spellings(text: string): string[] {
  const [first, second] = /^([a-z]+\d+)[\s,]*([a-z]+\d+)$/i.exec(text)?.slice(1) ?? [];
  return first && second ? [...new Set([text, first + second, second + first])] : [text];
}

// To the next or the previous place, in the order of the record; after the last comes the first.
export async function toFound(by: 1 | -1): Promise<void> {
  if (found.value?.text !== wanted.value.trim()) await search();
  const nodes = (found.value?.nodes ?? []).filter((id) => open.value?.tree.nodes.has(id)); // some may be gone by now
  if (nodes.length === 0) return;
  const at = nodes.indexOf(currentId.value);
  const next = at < 0 ? (by > 0 ? 0 : nodes.length - 1) : (at + by + nodes.length) % nodes.length;
  goTo(nodes[next]!);
}

const openId = computed(() => open.value?.id);

// What was found is of the record that was searched.
effect(() => {
  void openId.value;
  found.value = null;
});

export function lookForSamePositions(): void {
  let timer = 0;
  effect(() => {
    const document = openId.value;
    const node = currentId.value;
    sameElsewhere.value = [];
    clearTimeout(timer);
    if (!document) return;
    timer = window.setTimeout(async () => {
      const answer = await request<SamePosition>("GET", `/api/documents/${document}/same?node=${node}`).catch(() => null);
      if (answer && open.value?.id === document && currentId.value === node) sameElsewhere.value = answer.nodes;
    }, PATIENCE);
  });
}
