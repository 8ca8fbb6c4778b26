// What analyses of this position have found, and what is at work elsewhere.

import { candidatesHere } from "../board/candidates";
import { stepByWheel } from "../board/gestures";
import { playLine } from "../model/actions";
import { defend, solve, toggleAnalysis } from "../model/analyses";
import { takeLine } from "../model/preview";
import { change, isAnalysing, isTouch, position, preview, settings, tasksHere } from "../model/state";
import type { Candidate, TaskView } from "../net/types";
import { numberText, serverText, text } from "../texts";

const SHOWN_MOVES = 60;
const LINES = [1, 3, 5, 10, 20];
const KINDS = ["analyse", "solve", "defend"];

export function Analysis() {
  // What was asked last stands first.
  const shown = tasksHere.value.filter((task, index, here) => KINDS.includes(task.kind) && here.findIndex(({ kind }) => kind === task.kind) === index);
  return (
    <div class="analysis">
      <div class="row wrap">
        <button class="primary" title={text("analyseOrStop")} onClick={() => void toggleAnalysis()}>{text(isAnalysing.value ? "stop" : "analyse")}</button>
        <button title={text("solveHint")} onClick={() => void solve()}>{text("solve")}</button>
        <button title={text("defendHint")} onClick={() => void defend()}>{text("defend")}</button>
        <span class="space" />
        <select class="small" aria-label={text("lineCount")} title={text("lineCount")} value={settings.value.lines} onChange={(event) => change({ lines: Number(event.currentTarget.value) })}>
          {LINES.map((count) => <option key={count} value={count}>{count === 1 ? text("oneCandidate") : text("candidates", count)}</option>)}
        </select>
      </div>
      {shown.length === 0 && <p class="quiet">{text(isTouch ? "nothingYetTouch" : "nothingYet")}</p>}
      {shown.map((task) => <Finding key={task.kind} task={task} />)}
    </div>
  );
}

function Finding({ task }: { task: TaskView }) {
  return (
    <div class="finding">
      <header>
        <b>{text(task.kind as "analyse" | "solve" | "defend")}</b>
        <span class="quiet">{figures(task)}</span>
      </header>
      {task.error ? <p class="error">{serverText(task.error)}</p> : task.kind === "analyse" ? <Lines /> : task.kind === "solve" ? <Win task={task} /> : <Moves task={task} />}
    </div>
  );
}

function figures(task: TaskView): string {
  if (task.state === "waiting") return text("waiting");
  const best = (task.answer?.["moves"] as Candidate[] | undefined)?.[0];
  const nodes = (task.answer?.["nodes"] as number | undefined) ?? best?.nodes;
  const parts = [`${task.seconds.toFixed(1)} ${text("seconds")}`];
  if (best?.depth) parts.push(`${text("depth")} ${best.depth}`);
  if (nodes) parts.push(`${numberText(nodes)} ${text("nodes")}`);
  return parts.join(" · ");
}

// The line is on the board while somebody points at it, with the mouse or the keyboard.
function showing(line: string[]) {
  const show = () => (preview.value = line);
  const hide = () => (preview.value = []);
  return { onMouseEnter: show, onMouseLeave: hide, onFocus: show, onBlur: hide, onWheel: stepByWheel };
}

// Figures and bars, here and on the board, are the chances of the side to move: the best move has the highest.
function Lines() {
  const isFirst = position.value?.stones.size === 0 && candidatesHere.value.every(({ win }) => win === null);
  const whose = isFirst ? text("nothingToSearch") : text("chancesOf", text(position.value?.turn ?? "black"));
  if (candidatesHere.value.length === 0) return null;
  return (
    <>
      <p class="quiet">{whose}</p>
      <ol class="lines" aria-label={whose}>
        {candidatesHere.value.map(({ move, win, line }) => (
          <li key={move}>
            <button {...showing(line)} onClick={(event) => void takeLine(line, event.shiftKey)}>
              <span class="bar" aria-hidden="true" title={whose}>{win !== null && <i style={{ "--value": win }} />}</span>
              <b title={whose}>{win === null ? "–" : `${Math.round(win * 100)} %`}</b>
              <span class="moves">{line.join("  ")}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

function Win({ task }: { task: TaskView }) {
  const answer = task.answer;
  if (!answer || task.state === "running") return <p class="quiet">{text("lookingForWin")}</p>;
  const line = (answer["line"] as string[] | undefined) ?? [];
  if (answer["result"] !== "win") return <p>{answer["result"] === "unknown" ? text("unknown") : text("noWin")}</p>;
  return (
    <button class="line" {...showing(line)} onClick={() => void playLine(line)}>
      <b>{text("winIn", Math.ceil(line.length / 2))}</b> {line.join("  ")}
    </button>
  );
}

function Moves({ task }: { task: TaskView }) {
  const answer = task.answer;
  if (!answer) return null;
  const moves = (answer["moves"] as { move: string; cut_short: boolean }[] | undefined) ?? [];
  const count = (answer["open"] as number | undefined) ?? moves.length;
  if (answer["result"] === "loss") return <p class="verdict win">{text("allLose")}</p>;
  return (
    <>
      <p>{text(task.state === "running" ? "openMovesSoFar" : task.state === "stopped" ? "openMovesStopped" : "openMoves", numberText(count))}</p>
      <p class="chips">
        {moves.slice(0, SHOWN_MOVES).map(({ move, cut_short: isCut }) => (
          <button
            key={move}
            class={isCut ? "chip cut" : "chip"}
            title={isCut ? text("cutShort") : ""}
            {...showing([move])}
            onClick={() => void playLine([move])}
          >
            {move}
          </button>
        ))}
        {count > SHOWN_MOVES && <span class="quiet">{text("andMore", numberText(count - SHOWN_MOVES))}</span>}
      </p>
    </>
  );
}
