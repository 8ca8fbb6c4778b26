// What analyses of this position have found, and what is at work elsewhere.

import { candidatesHere } from "../board/candidates";
import { stepByWheel } from "../board/gestures";
import { defend, playLine, solve, stopTask, toggleAnalysis } from "../model/actions";
import { takeLine } from "../model/preview";
import { busyTasks, position, preview, tasksHere } from "../model/state";
import type { Candidate, TaskView } from "../net/types";
import { text } from "../texts";

export function Analysis() {
  const isBusy = busyTasks.value.length > 0;
  const here = tasksHere.value;
  const shown = ["analyse", "solve", "defend"].flatMap((kind) => here.find((task) => task.kind === kind) ?? []);
  return (
    <section class="panel analysis" aria-label={text("analysis")}>
      <div class="row">
        <button class="primary" onClick={() => void toggleAnalysis()}>{isBusy ? text("stop") : text("analyse")}</button>
        <button title={text("solveHint")} onClick={() => void solve()}>{text("solve")}</button>
        <button title={text("defendHint")} onClick={() => void defend()}>{text("defend")}</button>
      </div>
      {shown.length === 0 && <p class="quiet">{text("nothingYet")}</p>}
      {shown.map((task) => <Finding key={task.kind} task={task} />)}
      <Queue />
    </section>
  );
}

function Finding({ task }: { task: TaskView }) {
  return (
    <div class="finding">
      <header>
        <b>{text(task.kind as "analyse" | "solve" | "defend")}</b>
        <span class="quiet">{figures(task)}</span>
      </header>
      {task.error ? <p class="error">{task.error}</p> : task.kind === "analyse" ? <Lines /> : task.kind === "solve" ? <Win task={task} /> : <Moves task={task} />}
    </div>
  );
}

function figures(task: TaskView): string {
  if (task.state === "waiting") return text("waiting");
  const best = (task.answer?.["moves"] as Candidate[] | undefined)?.[0];
  const nodes = (task.answer?.["nodes"] as number | undefined) ?? best?.nodes;
  const parts = [`${task.seconds.toFixed(1)} ${text("seconds")}`];
  if (best?.depth) parts.push(`${text("depth")} ${best.depth}`);
  if (nodes) parts.push(`${nodes.toLocaleString()} ${text("nodes")}`);
  return parts.join(" · ");
}

function Lines() {
  const turn = position.value?.turn ?? "black";
  return (
    <ol class="lines">
      {candidatesHere.value.map((candidate) => {
        const black = candidate.win === null ? 0.5 : turn === "black" ? candidate.win : 1 - candidate.win;
        return (
          <li
            key={candidate.move}
            onMouseEnter={() => (preview.value = candidate.line)}
            onMouseLeave={() => (preview.value = [])}
            onWheel={stepByWheel}
            onClick={(event) => void takeLine(candidate.line, event.shiftKey)}
          >
            <span class="bar" aria-hidden="true"><i style={{ width: `${black * 100}%` }} /></span>
            <b>{candidate.win === null ? "–" : `${Math.round(candidate.win * 100)}%`}</b>
            <span class="moves">{candidate.line.join("  ")}</span>
          </li>
        );
      })}
    </ol>
  );
}

function Win({ task }: { task: TaskView }) {
  const answer = task.answer;
  if (!answer || task.state === "running") return null;
  const line = (answer["line"] as string[] | undefined) ?? [];
  if (answer["result"] !== "win") return <p>{answer["result"] === "unknown" ? text("unknown") : text("noWin")}</p>;
  return (
    <p class="line" onMouseEnter={() => (preview.value = line)} onMouseLeave={() => (preview.value = [])} onWheel={stepByWheel} onClick={() => void playLine(line)}>
      <b>{text("winIn", Math.ceil(line.length / 2))}</b> {line.join("  ")}
    </p>
  );
}

function Moves({ task }: { task: TaskView }) {
  const answer = task.answer;
  if (!answer) return null;
  const moves = (answer["moves"] as { move: string; cut_short: boolean }[] | undefined) ?? [];
  if (answer["result"] === "loss") return <p>{text("allLose")}</p>;
  return (
    <>
      <p>{text("openMoves", moves.length.toLocaleString())}</p>
      <p class="chips">
        {moves.slice(0, 60).map(({ move, cut_short: isCut }) => (
          <button
            key={move}
            class={isCut ? "chip cut" : "chip"}
            onMouseEnter={() => (preview.value = [move])}
            onMouseLeave={() => (preview.value = [])}
            onClick={() => void playLine([move])}
          >
            {move}
          </button>
        ))}
      </p>
    </>
  );
}

function Queue() {
  const busy = busyTasks.value;
  if (busy.length < 2) return null;
  return (
    <div class="queue">
      <b>{text("queue")}</b>
      {busy.map((task) => (
        <div key={task.id}>
          <span>{text(task.kind as "analyse")} · {task.position.split(" ").slice(-2).join(" ")}</span>
          <span class="quiet">{figures(task)}</span>
          <button aria-label={text("stop")} onClick={() => void stopTask(task.id)}>✕</button>
        </div>
      ))}
    </div>
  );
}
