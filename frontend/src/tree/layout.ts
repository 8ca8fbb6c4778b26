// Where the nodes of a record stand: moves to the right, variations below; nothing overlaps.

import type { TreeNode } from "../model/record";

export interface Placed {
  readonly node: TreeNode;
  readonly column: number;
  readonly row: number;
}

interface Layout {
  readonly places: ReadonlyMap<number, Placed>;
  readonly byColumn: readonly (readonly Placed[])[];
  readonly columns: number;
  readonly rows: number;
}

// Every line goes straight on; a further variation begins in the first row below in which nothing stands from there on.
export function layOut(root: TreeNode, collapsed: ReadonlySet<number>): Layout {
  const places = new Map<number, Placed>();
  const byColumn: Placed[][] = [];
  const free: number[] = []; // the first row that is free, by column
  let rows = 0;
  const firsts: TreeNode[] = [root];
  const columns: number[] = [0]; // where they stand
  while (firsts.length > 0) {
    const first = firsts.pop()!;
    const start = columns.pop()!;
    const line: TreeNode[] = [];
    for (let node: TreeNode | undefined = first; node; node = collapsed.has(node.id) ? undefined : node.children[0]) line.push(node);
    let row = 0;
    for (let column = start; column < start + line.length; ++column) row = Math.max(row, free[column] ?? 0);
    if (first.parent) row = Math.max(row, places.get(first.parent.id)!.row + (first.parent.children[0] === first ? 0 : 1));
    for (let index = 0; index < line.length; ++index) {
      const column = start + index;
      const placed = { node: line[index]!, column, row };
      places.set(placed.node.id, placed);
      (byColumn[column] ??= []).push(placed);
      free[column] = row + 1;
    }
    // The place to the left of the line is for the stroke that leads to it.
    if (start > 0) free[start - 1] = Math.max(free[start - 1] ?? 0, row + 1);
    rows = Math.max(rows, row + 1);
    line.forEach((node, at) => {
      if (collapsed.has(node.id)) return;
      for (let index = node.children.length - 1; index > 0; --index) {
        firsts.push(node.children[index]!);
        columns.push(start + at + 1);
      }
    });
  }
  return { places, byColumn, columns: byColumn.length, rows };
}
