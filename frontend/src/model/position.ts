// The position after a node: enough to draw it and to know whose turn it is. Whether moves are legal is for the server to say.

import { keyOf, parseSquares, type Square } from "./squares";
import { moveOf, other, pathTo, type Colour, type TreeNode } from "./record";
import type { GameView } from "../net/types";

export interface Stone extends Square {
  readonly colour: Colour;
  readonly number: number; // of its move; 0 for stones that were set up
}

export interface Position {
  readonly stones: ReadonlyMap<string, Stone>;
  readonly lastMove: readonly Square[];
  readonly turn: Colour;
  readonly stonesLeft: number;
  readonly row: readonly Square[]; // the winning one
  readonly winner: Colour | null;
  readonly isFull: boolean;
}

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

export function positionAt(game: GameView, node: TreeNode): Position {
  const stones = new Map<string, Stone>();
  let turn: Colour = "black";
  let left = game.q;
  let isMidTurn = false;
  let number = 0;
  let lastMove: Square[] = [];
  let row: Square[] = [];
  const path = pathTo(node);
  for (const [index, step] of path.entries()) {
    if (isSetUp(step)) {
      const before = { turn, left, isMidTurn, hasStones: stones.size > 0 };
      setUp(stones, step);
      lastMove = [];
      ({ turn, left } = turnAfterSetUp(game, stones, step, path[index + 1] ?? step.children[0], before));
      isMidTurn = left < game.p;
      row = rowAmong(game, stones, stones.values());
    }
    const move = moveOf(step);
    if (!move || move.text === "resign") continue;
    if (move.colour !== turn) left = game.p; // a record that skips a turn
    turn = move.colour;
    number += 1;
    const squares = parseSquares(move.text);
    for (const square of squares) stones.set(keyOf(square.x, square.y), { ...square, colour: turn, number });
    if (row.length === 0) row = rowAmong(game, stones, squares);
    lastMove = squares;
    left -= squares.length;
    isMidTurn = left > 0 && !/pass/i.test(move.text);
    if (!isMidTurn) {
      turn = other(turn);
      left = game.p;
    }
  }
  return made(game, stones, lastMove, turn, left, row);
}

// Without a record: stones as they stand, and whole moves after them.
export function positionAfter(game: GameView, black: readonly string[], white: readonly string[], turn: Colour, left: number, moves: readonly string[]): Position {
  const stones = new Map<string, Stone>();
  for (const [names, colour] of [[black, "black"], [white, "white"]] as const) {
    for (const { x, y } of parseSquares(names.join(" "))) stones.set(keyOf(x, y), { x, y, colour, number: 0 });
  }
  let lastMove: Square[] = [];
  let row: Square[] = [];
  moves.forEach((move, index) => {
    lastMove = parseSquares(move);
    for (const { x, y } of lastMove) stones.set(keyOf(x, y), { x, y, colour: turn, number: index + 1 });
    if (row.length === 0) row = rowAmong(game, stones, lastMove);
    turn = other(turn);
    left = game.p;
  });
  return made(game, stones, lastMove, turn, left, row);
}

function made(game: GameView, stones: ReadonlyMap<string, Stone>, lastMove: readonly Square[], turn: Colour, left: number, row: readonly Square[]): Position {
  const room = game.columns === null || game.rows === null ? Infinity : game.columns * game.rows - stones.size;
  const first = row[0];
  const winner = first ? stones.get(keyOf(first.x, first.y))!.colour : null;
  return { stones, lastMove, turn, stonesLeft: Math.min(left, room), row, winner, isFull: room <= 0 };
}

function isSetUp(node: TreeNode): boolean {
  return ["AB", "AW", "AE", "PL", "LEFT"].some((name) => name in node.properties);
}

function setUp(stones: Map<string, Stone>, node: TreeNode): void {
  for (const { x, y } of parseSquares((node.properties["AE"] ?? []).join(" "))) stones.delete(keyOf(x, y));
  for (const [name, colour] of [["AB", "black"], ["AW", "white"]] as const) {
    for (const { x, y } of parseSquares((node.properties[name] ?? []).join(" "))) stones.set(keyOf(x, y), { x, y, colour, number: 0 });
  }
}

interface Before {
  readonly turn: Colour;
  readonly left: number;
  readonly isMidTurn: boolean;
  readonly hasStones: boolean;
}

// As the server has it: who is told to move has a whole turn, unless he was in the middle of it; only where nobody is told, and
// no stones stood there before, the numbers of stones tell.
function turnAfterSetUp(
  game: GameView,
  stones: ReadonlyMap<string, Stone>,
  node: TreeNode,
  next: TreeNode | undefined,
  before: Before,
): { turn: Colour; left: number } {
  const told = node.properties["PL"]?.[0] ?? moveOf(node)?.colour ?? (next && moveOf(next)?.colour);
  const written = node.properties["LEFT"]?.[0];
  const left = written ? Number(written) : null;
  if (!told && !before.hasStones) {
    const black = [...stones.values()].filter((stone) => stone.colour === "black").length;
    const inferred = inferTurn(game, black, stones.size - black);
    return { turn: inferred?.turn ?? "black", left: left ?? inferred?.left ?? game.p };
  }
  const turn = told ? (told.toLowerCase().startsWith("b") ? "black" : "white") : before.turn;
  const begun = turn === before.turn && before.isMidTurn ? before.left : null;
  const whole = turn === "black" && stones.size === 0 ? game.q : game.p;
  return { turn, left: left ?? begun ?? whole };
}

// Whose turn it is where only the numbers of stones tell; null if they do not.
function inferTurn({ p, q }: GameView, black: number, white: number): { turn: Colour; left: number } | null {
  if (white === 0 && black < q) return { turn: "black", left: q - black };
  const rounds = Math.floor(white / p);
  const rest = white % p;
  if (black === q + rounds * p) return { turn: "white", left: p - rest };
  if (rest === 0 && rounds > 0 && black >= q + (rounds - 1) * p && black < q + rounds * p) return { turn: "black", left: q + rounds * p - black };
  return null;
}

// The first winning row with one of these squares; none if there is none.
function rowAmong(game: GameView, stones: ReadonlyMap<string, Stone>, squares: Iterable<Square>): Square[] {
  for (const square of squares) {
    const canWin = !game.maker_breaker || stones.get(keyOf(square.x, square.y))!.colour === "black";
    const row = canWin ? rowThrough(stones, square, game.k) : [];
    if (row.length > 0) return row;
  }
  return [];
}

function rowThrough(stones: ReadonlyMap<string, Stone>, square: Square, k: number): Square[] {
  const colour = stones.get(keyOf(square.x, square.y))!.colour;
  const same = (x: number, y: number) => stones.get(keyOf(x, y))?.colour === colour;
  for (const [dx, dy] of DIRECTIONS) {
    let { x, y } = square;
    while (same(x - dx, y - dy)) [x, y] = [x - dx, y - dy];
    const row: Square[] = [];
    for (; same(x, y); [x, y] = [x + dx, y + dy]) row.push({ x, y });
    if (row.length >= k) return row;
  }
  return [];
}
