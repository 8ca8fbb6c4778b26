// The tree of a proof search, line by line: what is opened, told by the server as it grows.

import { useSignal } from "@preact/signals";
import { goTo, playLine } from "../model/actions";
import { hint, openBranch } from "../model/analyses";
import { positionAt } from "../model/position";
import { other, type Colour } from "../model/record";
import { open, preview } from "../model/state";
import type { TaskView } from "../net/types";
import { text } from "../texts";
import { Icon } from "./icons";
import { number } from "./Proof";

export interface ProofNode {
  id: number;
  parent: number | null;
  move: string;
  proof: number | null;
  disproof: number | null;
  status: string;
  winner: "black" | "white" | null;
  running: boolean;
  pruned: boolean;
  preferred: boolean;
  children: number;
  again: boolean; // another line leads there too, and its children stand there
}

interface Row {
  readonly node: ProofNode;
  readonly depth: number;
  readonly line: string[];
  readonly isBest: boolean; // on the line that is expected
}

interface Props {
  task: TaskView;
  nodes: ProofNode[];
  best: string[];
  aborted: string[][];
}

export function ProofTree({ task, nodes, best, aborted }: Props) {
  const opened = useSignal<ReadonlyMap<number, boolean>>(new Map()); // as somebody wanted it; the best line opens itself
  const below = new Map<number, ProofNode[]>();
  for (const node of nodes) if (node.parent !== null) below.set(node.parent, [...(below.get(node.parent) ?? []), node]);
  const isOpen = ({ node, isBest, depth }: Row) => opened.value.get(node.id) ?? (isBest && depth < 3);
  const rows: Row[] = [];
  const rowsBelow = (id: number, depth: number, line: string[], isBest: boolean): Row[] =>
    (below.get(id) ?? []).map((node) => ({ node, depth, line: [...line, node.move], isBest: isBest && best[depth] === node.move })).reverse();
  const stack = rowsBelow(0, 0, [], true);
  for (let row = stack.pop(); row; row = stack.pop()) {
    rows.push(row);
    if (isOpen(row) && !row.node.again) stack.push(...rowsBelow(row.node.id, row.depth + 1, row.line, row.isBest));
  }
  const turn = (row: Row) => {
    const wanted = !isOpen(row);
    opened.value = new Map(opened.value).set(row.node.id, wanted);
    if (wanted && (below.get(row.node.id)?.length ?? 0) < row.node.children) void openBranch(task.id, row.node.id);
  };
  const wasAborted = new Set(aborted.map((line) => line.join(" ")));
  const colourAt = colourByDepth(task);
  return (
    <ul class="branches" aria-label={text("proofTree")}>
      {rows.map((row) => (
        <Branch key={row.line.join(" ")} row={row} task={task} isOpen={isOpen(row)} wasAborted={wasAborted.has(row.line.join(" "))} colour={colourAt(row.depth)} onTurn={() => turn(row)} />
      ))}
    </ul>
  );
}

// Whose moves stand at which depth.
function colourByDepth(task: TaskView): (depth: number) => Colour {
  const node = open.value?.tree.nodes.get(task.node);
  const first = node ? positionAt(open.value!.game, node).turn : "black";
  return (depth) => (depth % 2 === 0 ? first : other(first));
}

interface BranchProps {
  row: Row;
  task: TaskView;
  isOpen: boolean;
  wasAborted: boolean;
  colour: Colour;
  onTurn: () => void;
}

function Branch({ row: { node, depth, line, isBest }, task, isOpen, wasAborted, colour, onTurn }: BranchProps) {
  const isLive = !node.winner && task.state === "running";
  const tell = (word: string) => void hint(task.id, `${word} ${placeAfter(task.position, line)}`);
  const name = line.join(" ");
  const classes = [node.winner && `won-${node.winner}`, node.running && "running", node.pruned && "pruned", isBest && "best"].filter(Boolean).join(" ");
  return (
    <li
      class={classes}
      style={{ paddingLeft: `${Math.min(depth, 12) * 15}px` }}
      onMouseEnter={() => open.value?.id === task.document && (preview.value = line)}
      onMouseLeave={() => (preview.value = [])}
    >
      <button class={`twist ${isOpen ? "open" : ""}`} aria-label={`${text(isOpen ? "fold" : "unfold")}: ${name}`} aria-expanded={isOpen} disabled={node.children === 0 || node.again} onClick={onTurn}>
        {node.again ? "↗" : node.children > 0 ? <Icon name="forward" /> : "·"}
      </button>
      <button class="jump" title={text("jump")} onClick={() => (goTo(task.node), void playLine(line))}>
        <i class={`dot ${colour}`} />
        {node.move}
      </button>
      {node.winner ? <span class="won">{text(node.winner)} {text("wins")}</span> : <Numbers node={node} />}
      {node.running && <i class="pulse" role="img" aria-label={text("jobsRunning")} title={text("jobsRunning")} />}
      {wasAborted && !node.running && <span class="quiet" title={text("aborted")}>⊘</span>}
      <span class="space" />
      {isLive && (
        <span class="acts">
          <button class={`tool ${node.preferred ? "on" : ""}`} aria-pressed={node.preferred} title={text(node.preferred ? "unprefer" : "prefer")} aria-label={`${text(node.preferred ? "unprefer" : "prefer")}: ${name}`} onClick={() => tell(node.preferred ? "unprefer" : "prefer")}><Icon name="star" /></button>
          <button class={`tool ${node.pruned ? "on" : ""}`} aria-pressed={node.pruned} title={text(node.pruned ? "unprune" : "prune")} aria-label={`${text(node.pruned ? "unprune" : "prune")}: ${name}`} onClick={() => tell(node.pruned ? "unprune" : "prune")}><Icon name="cut" /></button>
        </span>
      )}
    </li>
  );
}

// The smaller the proof number beside the disproof number, the nearer the win.
function Numbers({ node }: { node: ProofNode }) {
  const [proof, disproof] = [node.proof ?? Infinity, node.disproof ?? Infinity];
  const share = proof === Infinity ? 0 : disproof === Infinity ? 1 : disproof / Math.max(1, proof + disproof);
  return (
    <>
      <span class="share" aria-hidden="true"><i style={{ width: `${share * 100}%` }} /></span>
      <span class="numbers" title={text("numbersOf")}>{number(node.proof)} / {number(node.disproof)}</span>
      <span class="quiet status-word" title={text("statusOf")}>{node.status}</span>
    </>
  );
}

function placeAfter(position: string, line: string[]): string {
  const isSetUp = position.includes(":") && !position.includes("then:");
  return `${position}${isSetUp ? " then:" : ""} ${line.join(" ")}`;
}
