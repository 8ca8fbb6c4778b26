// Playing: against programs, for two at one board, or two programs against each other.

import { useSignal } from "@preact/signals";
import { ask } from "../model/analyses";
import { beginGame, endGame, pause, rematch, resign, resume, takeBack } from "../model/games";
import { goTo } from "../model/actions";
import { resultInWords } from "../model/result";
import { currentId, desk, gameHere, open, position } from "../model/state";
import type { GameView, PlayedGameView } from "../net/types";
import { text } from "../texts";
import { useCounting } from "./counting";
import "./play.css";

const CONTROLS = ["none", "5s/move", "30s/move", "5m+2s", "30m", "80m/10x60s"];
const LEVELS = Array.from({ length: 10 }, (_, index) => index + 1);
const HINT_SECONDS = 2;
const SIDES = ["black", "white"] as const;
type Side = (typeof SIDES)[number];

export function Play() {
  const game = gameHere.value;
  return <div class="play">{game ? <Running game={game} /> : <Choice />}</div>;
}

function Choice() {
  const chosen = { black: useSignal("person"), white: useSignal("engine:level=5") };
  const control = useSignal("none");
  return (
    <form
      class="players"
      onSubmit={(event) => {
        event.preventDefault();
        void beginGame(chosen.black.value, chosen.white.value, control.value);
      }}
    >
      {SIDES.map((side) => (
        <label key={side} class="player">
          <i class={`dot large ${side}`} />
          <span>{text(side)}</span>
          <select value={chosen[side].value} onChange={(event) => (chosen[side].value = event.currentTarget.value)}>
            <Players />
          </select>
        </label>
      ))}
      <div class="row">
        <label class="grow">
          <span class="quiet">{text("time")} </span>
          <select value={control.value} onChange={(event) => (control.value = event.currentTarget.value)}>
            {CONTROLS.map((one) => <option key={one} value={one}>{one === "none" ? text("noClock") : one}</option>)}
          </select>
        </label>
        <button type="submit" class="primary" disabled={Boolean(position.value?.winner || position.value?.isFull)}>{text("playFromHere")}</button>
      </div>
      <p class="quiet">{text("playHint")}</p>
    </form>
  );
}

function Players() {
  const game = open.value?.game;
  const agents = (desk.value?.agents ?? []).filter(({ name }) => name !== "engine" && game && canPlay(name, game));
  return (
    <>
      <option value="person">{text("person")}</option>
      <optgroup label={text("engine")}>
        {LEVELS.map((level) => <option key={level} value={engineOf(level)}>{text("level", level)}</option>)}
      </optgroup>
      <optgroup label={text("agents")}>
        {agents.map(({ name, title, about }) => <option key={name} value={name} title={about}>{title}</option>)}
      </optgroup>
    </>
  );
}

// Some need more than their name, a file or another agent; some are for certain games only.
function canPlay(name: string, { k, p, q, columns }: GameView): boolean {
  if (name === "opening-book" || name === "minimax") return false;
  if (name === "tile-attacker") return columns !== null;
  return name !== "breaker" || (q <= p && ((p === 1 && k >= 8) || (p === 2 && k >= 11)));
}

// Full strength knows the proved openings too.
function engineOf(level: number): string {
  return `engine:level=${level}${level === LEVELS.length ? ",book=atlas" : ""}`;
}

function nameOfPlayer(player: string): string {
  const level = /^engine:level=(\d+)(,book=atlas)?$/.exec(player)?.[1];
  if (player === "person") return text("person");
  return level ? `${text("engine")} · ${text("level", level)}` : (desk.value?.agents.find(({ name }) => name === player)?.title ?? player);
}

function Running({ game }: { game: PlayedGameView }) {
  const hasPerson = Object.values(game.players).includes("person");
  const isAway = game.node !== currentId.value;
  const isPersonsTurn = game.players[game.turn] === "person" && !game.result;
  return (
    <>
      {SIDES.map((side) => <Seat key={side} game={game} side={side} />)}
      {game.problem && <p class="error">{game.problem}</p>}
      {game.result && <p class="verdict" role="status">{resultInWords(game.result)}</p>}
      <div class="row wrap">
        {isAway && <button class="primary" onClick={() => goTo(game.node)}>{text("toTheGame")}</button>}
        {isPersonsTurn && <button onClick={() => void ask({ kind: "analyse", seconds: HINT_SECONDS, lines: 3 })} disabled={isAway}>{text("hint")}</button>}
        {hasPerson && <button onClick={() => void takeBack()}>{text("takeBack")}</button>}
        {!game.result && (game.paused ? <button class="primary" onClick={() => void resume()}>{text("resume")}</button> : <button onClick={() => void pause()}>{text("pause")}</button>)}
        {!game.result && hasPerson && <button onClick={() => confirm(text("resignSure")) && void resign()}>{text("resign")}</button>}
        <span class="space" />
        {game.result && <button class="primary" title={text("rematchHint")} onClick={() => void rematch(game)}>{text("rematch")}</button>}
        <button onClick={() => void endGame()}>{text(game.result ? "newGame" : "endGame")}</button>
      </div>
    </>
  );
}

function Seat({ game, side }: { game: PlayedGameView; side: Side }) {
  const isThinking = game.turn === side && !game.result;
  const isRunning = isThinking && !game.paused;
  const counted = useCounting(game.thought, isRunning, game);
  const thought = isThinking ? counted : 0;
  const left = game.left[side];
  return (
    <div class={`seat ${isThinking ? "thinking" : ""} ${isRunning ? "running" : ""}`}>
      <i class={`dot large ${side}`} />
      <span class="name">{nameOfPlayer(game.players[side] ?? "")}</span>
      <span class="space" />
      {game.paused && isThinking && <span class="quiet">{text("paused")}</span>}
      <b class="clock">{left === null || left === undefined ? clock(thought) : clock(Math.ceil(left - thought))}</b>
    </div>
  );
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
