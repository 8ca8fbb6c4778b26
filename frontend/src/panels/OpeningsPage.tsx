// The atlas of openings: a board, the moves that are known there with verdict, value and games, and the way deeper.

import { computed, signal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { openText, showPage, trying } from "../model/actions";
import { copyLink } from "../model/share";
import { parseSquares } from "../model/squares";
import { isTouch } from "../model/state";
import { request } from "../net/request";
import type { OpeningMove, OpeningView } from "../net/types";
import { numberText, text } from "../texts";
import { Icon } from "./icons";
import { OpeningBoard } from "./OpeningBoard";
import "./pages.css";
import "./openings.css";

const FIRST = "J10";
const FILTERS = ["all", "black", "white", "open", "played"] as const;
type Filter = (typeof FILTERS)[number];
const FILTER_TEXTS = { all: "openingAll", black: "openingBlack", white: "openingWhite", open: "openingOpen", played: "openingPlayed" } as const;

const line = signal<readonly string[]>([FIRST]);
const seen = signal<OpeningView | null>(null);
const filter = signal<Filter>("all");
const chosen = signal(0); // which of the shown moves is pointed at
const begun = signal<string | null>(null); // the first stone of a move that is played on the board
const byGames = signal(false); // the most played first; else the best
const shown = computed(() => {
  const moves = (seen.value?.moves ?? []).filter((move) => fits(move, filter.value));
  return byGames.value ? moves.sort((one, other) => (other.games?.games ?? 0) - (one.games?.games ?? 0)) : moves;
});

export function OpeningsPage() {
  useEffect(() => {
    const follow = () => (line.value = lineOfAddress());
    follow();
    addEventListener("popstate", follow);
    document.addEventListener("keydown", onKey);
    return () => {
      removeEventListener("popstate", follow);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  useSignalEffect(() => void look(line.value));
  const view = seen.value;
  return (
    <main class="page openings-page">
      <header><h1>{text("openingsPage")}</h1></header>
      <p class="quiet">{text("openingsHint")}</p>
      <div class="openings-columns">
        <section class="card opening-place" aria-label={text("openingLine")}>
          <Line />
          <OpeningBoard moves={view?.line ?? line.value} pointed={pointedSquares()} begun={begun.value} onSquare={touch} />
          <div class="row wrap">
            <button disabled={line.value.length < 2} onClick={back}><Icon name="undo" />{text("openingBack")}</button>
            <button onClick={() => void copyLink(`${location.origin}/${location.hash}`)}><Icon name="link" />{text("openingShare")}</button>
            <button class="primary" onClick={() => void edit()}>{text("openingEditor")}</button>
          </div>
        </section>
        {view && (
          <section class="card" aria-label={text("openingMoves")}>
            <Here view={view} />
            <Filters view={view} />
            <Moves view={view} />
            <p class="quiet">{!isTouch && text("openingKeys")} {view.book_games === null ? text("openingNoBook") : text("openingBook", numberText(view.book_games!))}</p>
          </section>
        )}
      </div>
    </main>
  );
}

function Line() {
  return (
    <ol class="opening-line">
      {line.value.map((move, index) => (
        <li key={`${index} ${move}`}>
          <button aria-current={index === line.value.length - 1 ? "step" : undefined} onClick={() => go(line.value.slice(0, index + 1))}>
            <i class={`dot ${index % 2 === 0 ? "black" : "white"}`} />{move}
          </button>
        </li>
      ))}
    </ol>
  );
}

function Here({ view }: { view: OpeningView }) {
  const here = view.here;
  const proof = here?.proof;
  return (
    <div class="opening-here" aria-live="polite">
      <p class="opening-verdict">
        {here ? <Verdict move={here} /> : <b>{text("openingSide", text(view.side === "black" ? "black" : "white"))}</b>}
        {here && <span class="quiet">{text("openingSide", text(view.side === "black" ? "black" : "white"))}</span>}
      </p>
      {view.line.length === 1 && <p class="quiet">{text("openingFigures", view.solved, view.seconds)}</p>}
      {view.line.length > 1 && !view.in_atlas && <p class="quiet">{text("openingUnknown")}</p>}
      {proof && (
        proof.is_here ? (
          <p><a href={`/api/openings/proofs/${encodeURIComponent(proof.file)}`} download={proof.file}>{text("openingProof", numberText(proof.nodes))}</a></p>
        ) : (
          <p class="quiet">{text("openingNoProof")} <code>{`tengen opening prove "${FIRST} ${proof.file.replace(".tpf", "").replace("-", " ")}" --proof ${proof.file}`}</code></p>
        )
      )}
    </div>
  );
}

function Verdict({ move }: { move: OpeningMove }) {
  const said = move.winner === "black" ? "openingBlack" : move.winner === "white" ? "openingWhite" : "openingOpen";
  return <span class={`opening-badge ${move.winner ?? "open"}`}>{text(said)}</span>;
}

function Filters({ view }: { view: OpeningView }) {
  return (
    <div class="row wrap" role="group" aria-label={text("openingFilter")}>
      {FILTERS.map((name) => (
        <button key={name} class="small" aria-pressed={filter.value === name} onClick={() => choose(name)}>
          {text(FILTER_TEXTS[name])} <span class="quiet">{view.moves.filter((move) => fits(move, name)).length}</span>
        </button>
      ))}
      <span class="space" />
      {view.book_games !== null && <button class="small" aria-pressed={byGames.value} onClick={() => (byGames.value = !byGames.value)}>{text("openingByGames")}</button>}
    </div>
  );
}

function Moves({ view }: { view: OpeningView }) {
  if (view.moves.length === 0) return <p class="quiet">{text("openingNothing")}</p>;
  if (shown.value.length === 0) return <p class="quiet">{text("openingNoneLeft")}</p>;
  const hasGames = view.moves.some(({ games }) => games);
  return (
    <div class={`opening-moves ${hasGames ? "with-games" : ""}`}>
      <div class="opening-head quiet" aria-hidden="true">
        <span>{text("openingMove")}</span><span>{text("openingVerdict")}</span><span>{text("openingChance")}</span>
        {hasGames && <span>{text("openingGames")}</span>}
      </div>
      <ul>
        {shown.value.map((move, index) => (
          <li key={move.move}>
            <button class="opening-row" tabIndex={index === chosen.value ? 0 : -1} onClick={() => goOn(move.move)} onMouseEnter={() => (chosen.value = index)} onFocus={() => (chosen.value = index)}>
              <b>{move.move}</b>
              <span><Verdict move={move} />{move.open != null && move.winner === null && <span class="quiet"> {text("openingLeft", move.open)}</span>}</span>
              <Chance value={move.value ?? null} />
              {hasGames && <Games move={move} />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Chance({ value }: { value: number | null }) {
  if (value === null) return <span class="quiet">–</span>;
  const share = `${(100 * value).toFixed(value === 1 || value === 0 ? 0 : 1)} %`;
  return <span class="chance"><i style={{ width: `${100 * value}%` }} /><span>{share}</span></span>;
}

function Games({ move }: { move: OpeningMove }) {
  if (!move.games) return <span class="quiet">–</span>;
  return <span>{numberText(move.games.games)} <span class="quiet">{text("openingWon", `${(100 * move.games.ratio).toFixed(0)} %`)}</span></span>;
}

function fits(move: OpeningMove, name: Filter): boolean {
  if (name === "all") return true;
  if (name === "played") return move.games !== null;
  return (move.winner ?? "open") === name;
}

function choose(name: Filter): void {
  filter.value = name;
  chosen.value = 0;
}

async function look(moves: readonly string[]): Promise<void> {
  const answer = await trying(() => request<OpeningView>("GET", `/api/openings?moves=${encodeURIComponent(moves.join(" "))}`));
  if (moves !== line.value) return; // another one is wanted by now
  if (answer) {
    seen.value = answer;
    seenLine = moves;
    chosen.value = 0;
  } else if (moves.join() !== FIRST) go([FIRST]);
}

// The address is where one is: links and the browser's own way back work.
function go(moves: readonly string[]): void {
  history.pushState(null, "", `#openings=${encodeURIComponent(moves.join(" "))}`);
  begun.value = null;
  line.value = moves;
}

// Moves that are shown are those of the line that was seen last: another one may be on its way.
let seenLine: readonly string[] | null = null;

function goOn(move: string): void {
  if (seenLine === line.value) go([...line.value, move]);
}

function lineOfAddress(): string[] {
  const moves = new URLSearchParams(location.hash.slice(1)).get("openings") ?? "";
  const found = moves.split(/\s+/).filter(Boolean);
  return found.length > 0 ? found : [FIRST];
}

function back(): void {
  if (line.value.length > 1) go(line.value.slice(0, -1));
}

async function edit(): Promise<void> {
  await openText(line.value.join(" "));
  showPage("bench");
}

function pointedSquares() {
  const move = shown.value[chosen.value];
  return move && !begun.value ? parseSquares(move.move) : [];
}

// Two clicks are a move.
function touch(square: string): void {
  if (seen.value?.is_over || seenLine !== line.value) return;
  if (begun.value === square) begun.value = null;
  else if (begun.value) goOn(begun.value + square);
  else begun.value = square;
}

function onKey(event: KeyboardEvent): void {
  const target = event.target;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || document.querySelector("dialog[open]")) return;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return;
  const actions: Record<string, (() => void) | undefined> = {
    ArrowUp: () => point(chosen.value - 1),
    ArrowDown: () => point(chosen.value + (isInList(target) ? 1 : 0)),
    ArrowLeft: back,
    Backspace: back,
    ArrowRight: play,
  };
  const act = actions[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function isInList(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(".opening-row");
}

function point(index: number): void {
  const rows = document.querySelectorAll<HTMLElement>(".opening-row");
  rows[Math.min(Math.max(index, 0), rows.length - 1)]?.focus();
}

function play(): void {
  const move = shown.value[chosen.value];
  if (move) goOn(move.move);
}
