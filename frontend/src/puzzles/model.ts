// One attempt at a puzzle: what is on the board, what was tried, and what is said to it. The player's record is the server's.

import { batch, computed, effect, signal } from "@preact/signals";
import { trying } from "../model/actions";
import { positionAfter } from "../model/position";
import type { Colour } from "../model/record";
import { keyOf, nameOf, parseSquares, type Square } from "../model/squares";
import { laid, page, pending } from "../model/state";
import { Refusal, request } from "../net/request";
import type { MoveAnswer, ProgressView, PuzzleSets, PuzzleView, RightMove } from "../net/types";

// What is wanted; empty texts stand for anything.
interface Wish {
  readonly least: number;
  readonly most: number;
  readonly kind: string;
  readonly theme: string;
  readonly own: boolean;
}

type Phase = "solving" | "thinking" | "wrong" | "doubtful" | "solved" | "shown";

export const ANY: Wish = { least: 1, most: 10, kind: "", theme: "", own: false };
const WINDOW = Math.random().toString(36).slice(2);

export const wish = signal<Wish>({ ...ANY, ...stored() });
export const sets = signal<PuzzleSets | null>(null);
export const progress = signal<ProgressView | null>(null);
export const puzzle = signal<PuzzleView | null>(null);
export const isMissing = signal(false); // there is no puzzle of the sort that is wanted
export const played = signal<string[]>([]); // right moves and their answers
export const phase = signal<Phase>("solving");
export const line = signal<string[]>([]); // what is stepped through: a wrong move and its refutation, or the solution
export const seen = signal(0); // moves of that line on the board
export const hints = signal(0);
export const hinted = signal<string | null>(null);
export const change = signal<number | null>(null); // of the rating, by this attempt
export const wasClean = signal(false);

let began = 0;
let awaited: object | null = null; // the puzzle that was asked for last, while it is on its way
let judged: object | null = null; // the move that was tried last
let isKept = false; // an attempt counts once: by its first mistake or hint, or when it is solved

const isStepping = computed(() => phase.value === "wrong" || phase.value === "shown");

const moves = computed(() => {
  const before = phase.value === "shown" ? [] : played.value;
  return [...before, ...line.value.slice(0, seen.value)];
});

const hintedSquares = computed<Square[]>(() => {
  const squares = hinted.value && phase.value === "solving" ? parseSquares(hinted.value) : [];
  return squares.slice(0, hints.value);
});

// The board is lent to this page while it is shown.
effect(() => {
  const shown = page.value === "puzzles" ? puzzle.value : null;
  laid.value = shown && {
    id: shown.name,
    game: shown.game,
    position: positionAfter(shown.game, shown.black, shown.white, shown.turn as Colour, shown.stones_left, moves.value),
    showsNumbers: isStepping.value,
    hinted: hintedSquares.value,
    touch,
    step,
  };
});

export async function begin(): Promise<void> {
  await Promise.all([lookAtProgress(), lookAtSets()]);
  if (!puzzle.value && !awaited) await next();
}

async function lookAtProgress(): Promise<void> {
  await trying(async () => (progress.value = await request<ProgressView>("GET", "/api/puzzles/progress")));
}

async function lookAtSets(): Promise<void> {
  const asked = wish.value;
  const known = await trying(() => request<PuzzleSets>("GET", `/api/puzzles?${wishInAddress()}`));
  if (known && asked === wish.value) sets.value = known;
}

export function wishInAddress(): string {
  const { least, most, kind, theme, own } = wish.value;
  return `${new URLSearchParams({ least: `${least}`, most: `${most}`, kind, theme, own: `${own}` })}`;
}

export async function choose(part: Partial<Wish>): Promise<void> {
  const wanted = { ...wish.value, ...part };
  wish.value = wanted.least > wanted.most ? { ...wanted, ...("least" in part ? { most: wanted.least } : { least: wanted.most }) } : wanted;
  localStorage.setItem("tengen-puzzle-wish", JSON.stringify(wish.value));
  await Promise.all([lookAtSets(), next()]);
}

// An answer counts only if nothing else was asked for meanwhile: it would take away what is being solved.
export async function next(): Promise<void> {
  const asked = (awaited = {});
  await leave();
  const { least, most, kind, theme, own } = wish.value;
  const body = { least, most, own, kind: kind || null, theme: theme || null, besides: puzzle.value?.name ?? null };
  await trying(async () => {
    try {
      const view = await request<PuzzleView>("POST", "/api/puzzles/next", body);
      if (awaited !== asked) return;
      show(view);
      isMissing.value = false;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (awaited !== asked) return;
      // What was on the board before is not what is wanted: nothing done there counts.
      batch(() => {
        isMissing.value = true;
        puzzle.value = null;
        resume();
      });
    }
  });
  if (awaited === asked) awaited = null;
}

export async function removeOwn(shown: PuzzleView): Promise<void> {
  await trying(() => request("DELETE", `/api/puzzles/${shown.name}`));
  await lookAtSets();
  if (sets.value?.own === 0) await choose({ own: false });
  else await next();
}

function show(view: PuzzleView): void {
  batch(() => {
    puzzle.value = view;
    change.value = null;
    wasClean.value = false;
    hints.value = 0;
    toStart();
  });
  began = performance.now();
  isKept = false;
}

function toStart(): void {
  batch(() => {
    played.value = [];
    hinted.value = null;
    resume();
  });
}

// Back to the last right position.
export function resume(): void {
  batch(() => {
    phase.value = "solving";
    line.value = [];
    seen.value = 0;
    dropBegun();
  });
}

export function retry(): void {
  if (phase.value === "thinking") void leave();
  if (phase.value === "wrong" || phase.value === "doubtful") resume();
  else toStart();
}

// The record has begun stones of its own where it is shown.
function dropBegun(): void {
  if (page.peek() === "puzzles") pending.value = [];
}

async function leave(): Promise<void> {
  dropBegun();
  if (phase.value === "thinking") await request("DELETE", `/api/puzzles/windows/${WINDOW}`).catch(() => undefined);
}

function touch(square: Square): void {
  const here = laid.value?.position;
  if (phase.value === "wrong" || phase.value === "doubtful") {
    resume();
    return;
  }
  if (!here || phase.value !== "solving") return;
  if (pending.value.some((stone) => nameOf(stone) === nameOf(square))) {
    pending.value = pending.value.filter((stone) => nameOf(stone) !== nameOf(square));
  } else if (!here.stones.has(keyOf(square.x, square.y))) {
    const stones = [...pending.value, square];
    if (stones.length < here.stonesLeft) pending.value = stones;
    else void attempt(stones.map(nameOf).join(""));
  }
}

// Whether the move was taken, right or wrong.
export async function attempt(move: string): Promise<boolean> {
  const shown = puzzle.value;
  if (!shown || (phase.value !== "solving" && phase.value !== "doubtful")) return false;
  const place = played.value.length;
  const isInLine = played.value.every((one, index) => isSame(one, shown.line[index]!)) && isSame(move, shown.line[place] ?? "");
  if (isInLine) {
    const reply = shown.line[place + 1];
    take(shown, move, { verdict: reply ? "right" : "solved", reply: reply ?? null, line: [] });
    return true;
  }
  batch(() => {
    phase.value = "thinking";
    line.value = [move];
    seen.value = 1;
    dropBegun();
  });
  const body = { played: played.value, move, window: WINDOW };
  const asked = (judged = {});
  const answer = await trying(() => request<MoveAnswer>("POST", `/api/puzzles/${shown.name}/move`, body));
  if (judged !== asked || puzzle.peek() !== shown || phase.peek() !== "thinking") return true; // given up meanwhile
  if (answer) take(shown, move, answer);
  else resume();
  return answer !== null;
}

function take(shown: PuzzleView, move: string, { verdict, reply, line: refutation }: MoveAnswer): void {
  batch(() => {
    dropBegun();
    hinted.value = null;
    if (verdict === "right" || verdict === "solved") {
      played.value = [...played.value, move, ...(reply ? [reply] : [])];
      resume();
      if (verdict === "solved") phase.value = "solved";
    } else {
      phase.value = verdict === "wrong" ? "wrong" : "doubtful";
      line.value = [move, ...refutation];
      seen.value = Math.min(2, line.value.length);
    }
  });
  if (verdict === "solved") {
    if (!isKept) wasClean.value = true;
    void keep(shown, !isKept);
  } else if (verdict === "wrong") void keep(shown, false);
}

async function keep(shown: PuzzleView, clean: boolean): Promise<void> {
  if (isKept) return;
  isKept = true;
  const before = progress.value?.rating;
  const seconds = Math.min(86_400, (performance.now() - began) / 1000);
  const told = await trying(() => request<ProgressView>("POST", `/api/puzzles/${shown.name}/attempt`, { clean, seconds }));
  if (!told) return;
  progress.value = told;
  if (before !== undefined && puzzle.value === shown && !shown.was_tried) change.value = told.rating - before;
}

// First one stone of the right move, then the other.
export async function hint(): Promise<void> {
  const shown = puzzle.value;
  if (!shown || phase.value === "solved" || phase.value === "shown" || phase.value === "thinking") return;
  resume();
  void keep(shown, false);
  if (hinted.value) {
    hints.value += 1;
    return;
  }
  const so_far = { played: played.value };
  const right = await trying(() => request<RightMove>("POST", `/api/puzzles/${shown.name}/solution`, so_far));
  if (!right || puzzle.value !== shown || phase.value !== "solving" || played.value !== so_far.played) return;
  batch(() => {
    hinted.value = right.move;
    hints.value = 1;
  });
}

export function showSolution(): void {
  const shown = puzzle.value;
  if (!shown) return;
  if (phase.value !== "solved") void keep(shown, false);
  batch(() => {
    phase.value = "shown";
    line.value = shown.line;
    seen.value = 1;
    dropBegun();
  });
}

export function step(by: number): void {
  if (isStepping.value) seen.value = Math.max(phase.value === "wrong" ? 1 : 0, Math.min(line.value.length, seen.value + by));
}

function isSame(one: string, other: string): boolean {
  const sorted = (move: string) => parseSquares(move).map(nameOf).sort().join();
  return sorted(one) === sorted(other);
}

function stored(): Partial<Wish> {
  try {
    return JSON.parse(localStorage.getItem("tengen-puzzle-wish") ?? "{}") as Partial<Wish>;
  } catch {
    return {};
  }
}
