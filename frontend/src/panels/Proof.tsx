// A job-level proof search: how it stands, its jobs, and its tree while it grows.

import { useSignal } from "@preact/signals";
import { ask, hint, stopTask } from "../model/analyses";
import { trying } from "../model/actions";
import { moveOf, other } from "../model/record";
import { change, current, desk, open, position, settings, tasks } from "../model/state";
import { request } from "../net/request";
import type { PositionText, TaskView } from "../net/types";
import { numberText, serverText, text } from "../texts";
import { Figure } from "./Figure";
import { ProofTree, type ProofNode } from "./ProofTree";
import "./proof.css";

interface ProofAnswer {
  result: "win" | "none" | "unknown";
  side: "black" | "white";
  proof_number: number | null;
  disproof_number: number | null;
  nodes: number;
  jobs: { done: number; decided: number; aborted: number; running: number; earlier: number };
  workers: number;
  running: { line: string[]; worker: string | null; seconds: number | null }[];
  aborted: string[][];
  line: string[];
  tree: ProofNode[];
  problems: string[];
  proof: boolean;
}

export function Proof() {
  const found = [...tasks.value.values()].reverse().find((task) => task.kind === "prove" && task.document === open.value?.id);
  const isBusy = found?.state === "running" || found?.state === "waiting";
  return (
    <div class="proof">
      {isBusy ? <div class="row"><button class="primary" onClick={() => void stopTask(found.id)}>{text("stop")}</button></div> : <Begin />}
      {found ? <Search task={found} /> : <p class="quiet">{text("proveHint")}</p>}
    </div>
  );
}

function Begin() {
  const side = useSignal("");
  const isOnGrid = useSignal(false);
  const here = position.value;
  if (!here) return null;
  const opponent = other(here.turn);
  const begin = () =>
    ask({
      kind: "prove",
      on_grid: isOnGrid.value,
      ...(side.value ? { side: side.value as "black" | "white" } : {}),
      ...(settings.value.workers ? { workers: settings.value.workers } : {}),
    });
  return (
    <div class="row wrap">
      <button class="primary" disabled={Boolean(here.winner || here.isFull)} onClick={() => void begin()}>{text("begin")}</button>
      <select aria-label={text("whoWins")} value={side.value} onChange={(event) => (side.value = event.currentTarget.value)}>
        <option value="">{`${text(here.turn)} ${text("wins")}`}</option>
        <option value={opponent}>{`${text(opponent)} ${text("wins")}`}</option>
      </select>
      <span class="space" />
      <WorkerLimit />
      {desk.value?.has_grid && (
        <label><input type="checkbox" checked={isOnGrid.value} onChange={(event) => (isOnGrid.value = event.currentTarget.checked)} /> {text("onGrid")}</label>
      )}
    </div>
  );
}

// How many workers a proof may have, here and on the page of the workers.
export function WorkerLimit() {
  return (
    <label class="limit">
      <span class="quiet">{text("atMost")}</span>
      <input
        type="number"
        min={1}
        max={10000}
        placeholder="∞"
        aria-label={text("atMostWorkers")}
        value={settings.value.workers ?? ""}
        onChange={(event) => change({ workers: event.currentTarget.valueAsNumber > 0 ? Math.floor(event.currentTarget.valueAsNumber) : null })}
      />
      <span class="quiet">{text("workersUnit")}</span>
    </label>
  );
}

function Search({ task }: { task: TaskView }) {
  const answer = task.answer as unknown as ProofAnswer | null;
  if (task.error) return <p class="error">{serverText(task.error)}</p>;
  if (!answer) return <p class="quiet">{text("waiting")}</p>;
  const isRunning = task.state === "running";
  const said = {
    win: `${text(answer.side)} ${text("wins")}.`,
    none: text("doesNotWin", text(answer.side)),
    unknown: isRunning ? text("searching", text(answer.side)) : text("undecided"),
  }[answer.result];
  return (
    <>
      <p class={`verdict ${answer.result}`} role="status">
        {said}
        {answer.proof && <a href={`/api/tasks/${task.id}/proof`} download>{text("proofFile")}</a>}
      </p>
      <dl class="figures">
        <Figure name={text("proofNumber")} value={number(answer.proof_number)} />
        <Figure name={text("disproofNumber")} value={number(answer.disproof_number)} />
        <Figure name={text("nodesFigure")} value={numberText(answer.nodes)} />
        <Figure name={text("jobsDone")} value={numberText(answer.jobs.done + answer.jobs.earlier)} title={text("jobsHint", answer.jobs.decided, answer.jobs.earlier)} />
        <Figure name={text("jobsRunning")} value={`${answer.running.filter(({ worker }) => worker).length}${answer.workers ? ` / ${answer.workers}` : ""}`} />
        <Figure name={text("jobsAborted")} value={numberText(answer.jobs.aborted)} />
        <Figure name={text("time")} value={`${task.seconds.toFixed(0)} ${text("seconds")}`} />
      </dl>
      {isRunning && <Suggest task={task} />}
      <Jobs answer={answer} />
      <ProofTree task={task} nodes={answer.tree} best={answer.line} aborted={answer.aborted} />
      {answer.problems.map((problem) => <p key={problem} class="error">{problem}</p>)}
    </>
  );
}

export function number(value: number | null): string {
  return value === null ? "∞" : numberText(value);
}

// The move that led to the position shown, as a hint to the search.
function Suggest({ task }: { task: TaskView }) {
  const node = current.value;
  const move = node && moveOf(node);
  if (!node?.parent || !move || node.id === task.node) return null;
  const parent = node.parent.id;
  const suggest = async () => {
    const before = await trying(() => request<PositionText>("GET", `/api/documents/${task.document}/position?node=${parent}`));
    if (before) await hint(task.id, `add ${move.text} at ${before.text}`);
  };
  return <button class="suggest" onClick={() => void suggest()}>{text("suggest", move.text)}</button>;
}

function Jobs({ answer }: { answer: ProofAnswer }) {
  if (answer.running.length === 0 && answer.aborted.length === 0) return null;
  return (
    <details class="jobs">
      <summary>{text("jobs")}</summary>
      <table>
        <tbody>
          {answer.running.map(({ line, worker, seconds }) => (
            <tr key={line.join(" ")} class="running">
              <td>{line.join(" ") || text("atBeginning")}</td>
              <td>{worker ?? text("waiting")}</td>
              <td>{seconds === null ? "" : `${seconds.toFixed(0)} ${text("seconds")}`}</td>
            </tr>
          ))}
          {answer.aborted.map((line, index) => (
            <tr key={`${index} ${line.join(" ")}`} class="aborted">
              <td>{line.join(" ") || text("atBeginning")}</td>
              <td colSpan={2}>{text("aborted")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
