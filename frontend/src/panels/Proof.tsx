// A job-level proof search: how it stands, and its tree while it grows.

import { useSignal } from "@preact/signals";
import { ask, goTo, hint, playLine } from "../model/actions";
import { desk, open, position, preview, tasks } from "../model/state";
import type { TaskView } from "../net/types";
import { text } from "../texts";

interface ProofNode {
  id: number;
  parent: number | null;
  move: string;
  proof: number | null;
  disproof: number | null;
  status: string;
  winner: "black" | "white" | null;
  running: boolean;
  pruned: boolean;
  children: number;
}

interface ProofAnswer {
  result: "win" | "none" | "unknown";
  side: "black" | "white";
  proof_number: number | null;
  disproof_number: number | null;
  nodes: number;
  jobs: { done: number; decided: number; aborted: number; running: number; earlier: number };
  workers: { name: string; job: string | null; seconds: number | null }[];
  line: string[];
  tree: ProofNode[];
  problems: string[];
  proof?: boolean;
}

export function Proof() {
  const found = [...tasks.value.values()].reverse().find((task) => task.kind === "prove" && task.document === open.value?.id);
  const isBusy = found?.state === "running" || found?.state === "waiting";
  return (
    <section class="panel proof" aria-label={text("prove")}>
      {!isBusy && <Begin />}
      {found && <Search task={found} />}
    </section>
  );
}

function Begin() {
  const side = useSignal("");
  const isOnGrid = useSignal(false);
  const here = position.value;
  return (
    <div class="row">
      <b>{text("prove")}</b>
      <span class="space" />
      <select aria-label={text("whoWins")} value={side.value} onChange={(event) => (side.value = event.currentTarget.value)}>
        <option value="">{here ? `${text(here.turn)} ${text("wins")}` : ""}</option>
        {here && <option value={here.turn === "black" ? "white" : "black"}>{`${text(here.turn === "black" ? "white" : "black")} ${text("wins")}`}</option>}
      </select>
      {desk.value?.has_grid && (
        <label><input type="checkbox" checked={isOnGrid.value} onChange={(event) => (isOnGrid.value = event.currentTarget.checked)} /> {text("onGrid")}</label>
      )}
      <button
        title={text("proveHint")}
        onClick={() => void ask({ kind: "prove", on_grid: isOnGrid.value, ...(side.value ? { side: side.value as "black" | "white" } : {}) })}
      >
        {text("begin")}
      </button>
    </div>
  );
}

function Search({ task }: { task: TaskView }) {
  const answer = task.answer as unknown as ProofAnswer | null;
  if (task.error) return <p class="error">{task.error}</p>;
  if (!answer) return <p class="quiet">{text("waiting")}</p>;
  const number = (value: number | null) => (value === null ? "∞" : value.toLocaleString());
  const said = {
    win: `${text(answer.side)} ${text("wins")}.`,
    none: text("doesNotWin", text(answer.side)),
    unknown: task.state === "running" ? text("searching", text(answer.side)) : text("undecided"),
  }[answer.result];
  return (
    <>
      <p class={`verdict ${answer.result}`}>
        {said}
        {answer.proof && <a href={`/api/tasks/${task.id}/proof`} download>{text("proofFile")}</a>}
      </p>
      <dl class="figures">
        <div><dt>{text("numbersOf")}</dt><dd>{number(answer.proof_number)} / {number(answer.disproof_number)}</dd></div>
        <div><dt>{text("nodes")}</dt><dd>{answer.nodes.toLocaleString()}</dd></div>
        <div><dt>{text("jobs")}</dt><dd title={text("jobsHint", answer.jobs.decided, answer.jobs.aborted)}>{answer.jobs.done + answer.jobs.earlier} · {answer.jobs.running} ▸</dd></div>
        <div><dt>{text("workers")}</dt><dd>{answer.workers.filter((worker) => worker.job).length} / {answer.workers.length}</dd></div>
        <div><dt>{text("time")}</dt><dd>{task.seconds.toFixed(0)} {text("seconds")}</dd></div>
      </dl>
      <Branches task={task} nodes={answer.tree} />
      {task.state === "running" && (
        <details class="workers">
          <summary>{text("workers")}</summary>
          <table>
            <tbody>
              {answer.workers.map(({ name, job, seconds }) => (
                <tr key={name}><td>{name}</td><td>{job ?? "–"}</td><td>{seconds === null ? "" : `${seconds.toFixed(0)} ${text("seconds")}`}</td></tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      {answer.problems.map((problem) => <p key={problem} class="error">{problem}</p>)}
    </>
  );
}

function Branches({ task, nodes }: { task: TaskView; nodes: ProofNode[] }) {
  const opened = useSignal<ReadonlySet<number>>(new Set([0]));
  const below = new Map<number, ProofNode[]>();
  for (const node of nodes) if (node.parent !== null) below.set(node.parent, [...(below.get(node.parent) ?? []), node]);
  const rows: { node: ProofNode; depth: number; line: string[] }[] = [];
  const stack = (below.get(0) ?? []).map((node) => ({ node, depth: 0, line: [node.move] })).reverse();
  for (let row = stack.pop(); row; row = stack.pop()) {
    rows.push(row);
    if (!opened.value.has(row.node.id)) continue;
    const { depth, line } = row;
    stack.push(...(below.get(row.node.id) ?? []).map((node) => ({ node, depth: depth + 1, line: [...line, node.move] })).reverse());
  }
  const number = (value: number | null) => (value === null ? "∞" : value);
  const toggle = (id: number) => {
    const next = new Set(opened.value);
    if (!next.delete(id)) next.add(id);
    opened.value = next;
  };
  const place = (line: string[]) => `${task.position}${task.position.includes(":") && !task.position.includes("then:") ? " then:" : ""} ${line.join(" ")}`;
  return (
    <ul class="branches">
      {rows.map(({ node, depth, line }) => (
        <li
          key={line.join(" ")}
          class={`${node.winner ? `won-${node.winner}` : ""} ${node.running ? "running" : ""} ${node.pruned ? "pruned" : ""}`}
          style={{ paddingLeft: `${depth * 16}px` }}
          onMouseEnter={() => (preview.value = line)}
          onMouseLeave={() => (preview.value = [])}
        >
          <button class="twist" aria-label={text("unfold")} disabled={!below.has(node.id)} onClick={() => toggle(node.id)}>{below.has(node.id) ? (opened.value.has(node.id) ? "▾" : "▸") : "·"}</button>
          <button class="jump" title={text("jump")} onClick={() => (goTo(task.node), void playLine(line))}>{node.move}</button>
          <span class="quiet">{node.winner ? `${text(node.winner)} ${text("wins")}` : `${number(node.proof)} / ${number(node.disproof)} · ${node.status}`}</span>
          <span class="space" />
          {!node.winner && task.state === "running" && (
            <button class="chip" onClick={() => void hint(task.id, `${node.pruned ? "unprune" : "prune"} ${place(line)}`)}>{text(node.pruned ? "unprune" : "prune")}</button>
          )}
        </li>
      ))}
    </ul>
  );
}
