// Nodes whose branches are folded away.

import { batch, computed, effect, signal } from "@preact/signals";
import { goTo } from "../model/actions";
import { pathTo, walk, type TreeNode } from "../model/record";
import { current, open } from "../model/state";

export const collapsed = signal<ReadonlySet<number>>(new Set());

// Another record begins unfolded; where one looks is never hidden.
const openId = computed(() => open.value?.id);
effect(() => {
  void openId.value;
  collapsed.value = new Set();
});
effect(() => {
  const node = current.value;
  if (!node) return;
  const hiding = pathTo(node).slice(0, -1).filter(({ id }) => collapsed.peek().has(id));
  if (hiding.length > 0) collapsed.value = new Set([...collapsed.peek()].filter((id) => !hiding.some((one) => one.id === id)));
});

export function toggle(node: TreeNode): void {
  if (node.children.length === 0) return;
  const next = new Set(collapsed.value);
  batch(() => {
    if (!next.delete(node.id)) {
      next.add(node.id);
      if (current.value && pathTo(current.value).includes(node)) goTo(node.id);
    }
    collapsed.value = next;
  });
}

// All variations beside the line that is shown.
export function toggleAll(): void {
  const node = current.value;
  const tree = open.value?.tree;
  if (!node || !tree) return;
  if (collapsed.value.size > 0) {
    collapsed.value = new Set();
    return;
  }
  const line = new Set(pathTo(node));
  for (let next = node.children[0]; next; next = next.children[0]) line.add(next);
  const folded = [...line].flatMap((one) => one.children).filter((child) => !line.has(child) && child.children.length > 0);
  collapsed.value = new Set(folded.map(({ id }) => id));
}

export function hiddenBelow(node: TreeNode): number {
  let count = -1;
  for (const _ of walk(node)) ++count;
  return count;
}
