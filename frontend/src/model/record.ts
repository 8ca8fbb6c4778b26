// The tree of a record, as the server has it: it is changed only by what the server tells.

import type { Change, FlatNode } from "../net/types";

export interface TreeNode {
  readonly id: number;
  parent: TreeNode | null;
  children: TreeNode[];
  properties: Record<string, string[]>;
}

export class RecordTree {
  readonly nodes = new Map<number, TreeNode>();
  readonly root: TreeNode;

  constructor(flat: readonly FlatNode[]) {
    for (const node of flat) this.add(node);
    this.root = this.nodes.get(flat[0]!.id)!;
  }

  apply(change: Change): void {
    switch (change.kind) {
      case "insert": {
        const [first, ...rest] = change.nodes;
        const root = this.add(first!);
        const siblings = root.parent!.children;
        siblings.pop();
        siblings.splice(change.index, 0, root);
        for (const node of rest) this.add(node);
        break;
      }
      case "remove": {
        const node = this.nodes.get(change.node)!;
        node.parent!.children = node.parent!.children.filter((child) => child !== node);
        for (const gone of walk(node)) this.nodes.delete(gone.id);
        break;
      }
      case "reorder": {
        const node = this.nodes.get(change.node)!;
        const siblings = node.parent!.children.filter((child) => child !== node);
        siblings.splice(change.index, 0, node);
        node.parent!.children = siblings;
        break;
      }
      case "set": {
        const node = this.nodes.get(change.node)!;
        const properties = { ...node.properties };
        for (const [name, values] of Object.entries(change.properties)) {
          if (values.length > 0) properties[name] = values;
          else delete properties[name];
        }
        node.properties = properties;
      }
    }
  }

  private add(flat: FlatNode): TreeNode {
    const parent = flat.parent === null ? null : (this.nodes.get(flat.parent) ?? null);
    const node: TreeNode = { id: flat.id, parent, children: [], properties: flat.properties };
    parent?.children.push(node);
    this.nodes.set(node.id, node);
    return node;
  }
}

export function* walk(root: TreeNode): Generator<TreeNode> {
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; --i) stack.push(node.children[i]!);
  }
}

export function pathTo(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = [];
  for (let at: TreeNode | null = node; at; at = at.parent) path.push(at);
  return path.reverse();
}

// The moves before a node, itself included.
export function moveNumber(node: TreeNode): number {
  let count = 0;
  for (let at: TreeNode | null = node; at; at = at.parent) if (moveOf(at)) ++count;
  return count;
}

export function moveOf(node: TreeNode): { colour: Colour; text: string } | null {
  const black = node.properties["B"]?.[0];
  if (black !== undefined) return { colour: "black", text: black };
  const white = node.properties["W"]?.[0];
  return white === undefined ? null : { colour: "white", text: white };
}

export type Colour = "black" | "white";

export function other(colour: Colour): Colour {
  return colour === "black" ? "white" : "black";
}
