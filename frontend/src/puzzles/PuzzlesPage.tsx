// Puzzles: the board, what is asked for, what is said to a move; and beside it how the player gets on and what he wants.

import { useEffect } from "preact/hooks";
import { Board } from "../board/Board";
import { Zoom } from "../board/Zoom";
import { laid } from "../model/state";
import type { PuzzleView } from "../net/types";
import { Icon } from "../panels/icons";
import { useMoveField } from "../panels/moveField";
import { text } from "../texts";
import type { Texts } from "../texts/en";
import { attempt, begin, change, hint, hinted, hints, isMissing, line, next, phase, puzzle, removeOwn, retry, seen, showSolution, step, wasClean } from "./model";
import { ProgressCard } from "./ProgressCard";
import { SetsCard } from "./SetsCard";
import { themeText } from "./themes";
import "../panels/pages.css";
import "../panels/side.css";
import "./puzzles.css";

export function PuzzlesPage() {
  useEffect(() => void begin(), []);
  const shown = puzzle.value;
  return (
    <main class="bench puzzles-page">
      <h1 class="unseen">{text("puzzlesPage")}</h1>
      <div class="table">
        {laid.value ? <Board /> : <div class="board empty" />}
        <MoveLine />
      </div>
      <aside>
        {isMissing.value && <p class="card missing" role="alert">{text("noSuchPuzzle")}</p>}
        {shown && <TaskCard shown={shown} />}
        <ProgressCard />
        <SetsCard />
      </aside>
      {shown && <div class="phone-bar puzzle-bar" role="toolbar" aria-label={text("puzzleActions")}><Actions /></div>}
    </main>
  );
}

function TaskCard({ shown }: { shown: PuzzleView }) {
  return (
    <section class={`card task ${phase.value}`} aria-label={text("puzzle")}>
      <header>
        <i class={`dot ${shown.turn}`} />
        <h2>{taskText(shown)}</h2>
        {shown.is_due && <span class="badge due">{text("dueAgain")}</span>}
      </header>
      <p class="facts quiet">
        <span>{text("level", shown.level)}</span>
        <span>{text("ratingOf", shown.rating)}</span>
        {shown.themes.filter((theme) => theme !== shown.kind && !theme.startsWith("in ")).map((theme) => <span key={theme}>{themeText(theme)}</span>)}
      </p>
      {shown.is_own && <p class="quiet own-source">{text("fromGame", shown.source)} <button class="small" onClick={() => void removeOwn(shown)}>{text("removeOwn")}</button></p>}
      <Feedback shown={shown} />
      <div class="row wrap desk-actions"><Actions /></div>
    </section>
  );
}

function taskText(shown: PuzzleView): string {
  const side = text(shown.turn as "black" | "white");
  return shown.kind === "only defence" ? text("findDefence", side) : text(shown.kind === "quiet win" ? "findQuietWin" : "findWin", side, shown.length);
}

function Feedback({ shown }: { shown: PuzzleView }) {
  return (
    <div class={`feedback ${phase.value}`}>
      <p role="status">{said(shown)}</p>
      {(phase.value === "wrong" || phase.value === "shown") && line.value.length > 0 && <Steps />}
    </div>
  );
}

function said(shown: PuzzleView): preact.ComponentChildren {
  const [move] = line.value;
  switch (phase.value) {
    case "thinking": return <><i class="pulse" /> {text("puzzleThinking", move ?? "")}</>;
    case "doubtful": return text("puzzleDoubtful", move ?? "");
    case "wrong": return line.value.length > 2 ? text("puzzleLoses", move ?? "") : line.value.length > 1 ? text("puzzleHolds", move ?? "", line.value[1]!) : text("puzzleNoUse", move ?? "");
    case "solved": return <><Icon name="check" /> <b>{text(wasClean.value ? "puzzleSolved" : "puzzleSolvedLate")}</b> <Change /></>;
    case "shown": return text("puzzleSolution");
    default:
      if (hinted.value) return text(hints.value === 1 ? "hintOne" : "hintBoth", hinted.value);
      return laid.value && laid.value.position.lastMove.length > 0 ? text("puzzleRight") : text(`task-${shown.kind}` as keyof Texts);
  }
}

function Change() {
  if (change.value === null || change.value === 0) return null;
  return <span class={`change ${change.value > 0 ? "up" : "down"}`}>{change.value > 0 ? "+" : "−"}{Math.abs(change.value)}</span>;
}

// A line that can be gone through, by these buttons, the arrow keys or the wheel.
function Steps() {
  return (
    <div class="stepper" role="group" aria-label={text("stepThrough")}>
      <button class="tool" aria-label={text("back")} title={text("back")} onClick={() => step(-1)}><Icon name="back" /></button>
      <ol>
        {line.value.map((move, index) => (
          <li key={index} class={index < seen.value ? "on" : ""}><button class="chip" aria-current={index === seen.value - 1} onClick={() => step(index + 1 - seen.value)}>{move}</button></li>
        ))}
      </ol>
      <button class="tool" aria-label={text("forward")} title={text("forward")} onClick={() => step(1)}><Icon name="forward" /></button>
    </div>
  );
}

function Actions() {
  const isOver = phase.value === "solved" || phase.value === "shown";
  return (
    <>
      {isOver ? (
        <button class="primary" onClick={() => void next()}>{text("nextPuzzle")}</button>
      ) : phase.value === "wrong" || phase.value === "doubtful" ? (
        <button class="primary" onClick={retry}>{text("tryAgain")}</button>
      ) : (
        <button onClick={() => void next()}>{text("skipPuzzle")}</button>
      )}
      {!isOver && <button onClick={() => void hint()} disabled={phase.value === "thinking"}>{text("hint")}</button>}
      {phase.value !== "shown" && <button onClick={showSolution}>{text("solution")}</button>}
      {isOver && <button onClick={retry}>{text("onceMore")}</button>}
    </>
  );
}

// Moves can be written too.
function MoveLine() {
  const { written, isBusy, submit } = useMoveField(attempt);
  return (
    <form class="status entry" aria-busy={isBusy} onSubmit={submit}>
      <input aria-label={text("moveEntry")} placeholder={text("moveEntryHint")} value={written.value} onInput={(event) => (written.value = event.currentTarget.value)} />
      <span class="quiet keys-hint">{text("puzzleKeys")}</span>
      <span class="space" />
      {laid.value && <Zoom />}
    </form>
  );
}
