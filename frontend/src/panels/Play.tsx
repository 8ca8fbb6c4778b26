// Playing: against programs, for two at one board, or two programs against each other.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { beginGame, endGame, resign, takeBack } from "../model/actions";
import { desk, gameHere } from "../model/state";
import type { PlayedGameView } from "../net/types";
import { text } from "../texts";

const CONTROLS = ["none", "5s/move", "30s/move", "5m+2s", "30m"];

export function Play() {
  const game = gameHere.value;
  return (
    <section class="panel play" aria-label={text("play")}>
      {game ? <Running game={game} /> : <Choice />}
    </section>
  );
}

function Choice() {
  const black = useSignal("person");
  const white = useSignal("engine:level=5");
  const control = useSignal("none");
  const players = [
    ["person", text("person")],
    ...Array.from({ length: 10 }, (_, level) => [`engine:level=${level + 1}`, text("level", level + 1)]),
    ...(desk.value?.agents ?? []).filter((agent) => agent.name !== "engine").map((agent) => [agent.name, agent.name]),
  ] as [string, string][];
  const choose = (label: string, chosen: { value: string }) => (
    <label>
      {label}
      <select value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
        {players.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
      </select>
    </label>
  );
  return (
    <form
      class="players"
      onSubmit={(event) => {
        event.preventDefault();
        void beginGame(black.value, white.value, control.value);
      }}
    >
      {choose(text("black"), black)}
      {choose(text("white"), white)}
      <label>
        {text("time")}
        <select value={control.value} onChange={(event) => (control.value = event.currentTarget.value)}>
          {CONTROLS.map((one) => <option key={one} value={one}>{one === "none" ? text("noClock") : one}</option>)}
        </select>
      </label>
      <button type="submit">{text("play")}</button>
    </form>
  );
}

function Running({ game }: { game: PlayedGameView }) {
  return (
    <>
      <div class="row">
        <Side game={game} colour="black" />
        <Side game={game} colour="white" />
      </div>
      <div class="row">
        {game.result ? <b>{text("result", game.result)}</b> : <button onClick={() => void resign()}>{text("resign")}</button>}
        <button onClick={() => void takeBack()}>{text("takeBack")}</button>
        <span class="space" />
        <button onClick={() => void endGame()}>{text("endGame")}</button>
      </div>
    </>
  );
}

function Side({ game, colour }: { game: PlayedGameView; colour: "black" | "white" }) {
  const isThinking = game.turn === colour && !game.result;
  const since = useSignal(performance.now());
  const now = useSignal(performance.now());
  useEffect(() => {
    since.value = now.value = performance.now();
    if (!isThinking) return;
    const timer = setInterval(() => (now.value = performance.now()), 200);
    return () => clearInterval(timer);
  }, [game, isThinking]);
  const thought = isThinking ? game.thought + (now.value - since.value) / 1000 : 0;
  const left = game.left[colour];
  const player = game.players[colour] ?? "";
  return (
    <div class={`side ${isThinking ? "thinking" : ""}`}>
      <i class={`dot ${colour}`} />
      <span>{player === "person" ? text("person") : player}</span>
      <span class="space" />
      <b class="clock">{left === null || left === undefined ? `${thought.toFixed(0)} s` : clock(left - thought)}</b>
    </div>
  );
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
