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
  let number = 0;
  let lastMove: Square[] = [];
  let row: Square[] = [];
  for (const step of pathTo(node)) {
    if (isSetUp(step)) {
      setUp(stones, step);
      lastMove = [];
      ({ turn, left } = turnAfterSetUp(game, stones, step));
    }
    const move = moveOf(step);
    if (!move || move.text === "resign") continue;
    if (move.colour !== turn) left = game.p; // a record that skips a turn
    turn = move.colour;
    number += 1;
    const squares = parseSquares(move.text);
    for (const square of squares) stones.set(keyOf(square.x, square.y), { ...square, colour: turn, number });
    for (const square of squares) row = row.length > 0 ? row : rowThrough(stones, square, game.k);
    lastMove = squares;
    left -= squares.length;
    if (left <= 0 || /pass/i.test(move.text)) {
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
    for (const square of lastMove) row = row.length > 0 ? row : rowThrough(stones, square, game.k);
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
  for (const [name, colour] of [["AB", "black"], ["AW", "white"]] as const) {
    for (const { x, y } of parseSquares((node.properties[name] ?? []).join(" "))) stones.set(keyOf(x, y), { x, y, colour, number: 0 });
  }
  for (const { x, y } of parseSquares((node.properties["AE"] ?? []).join(" "))) stones.delete(keyOf(x, y));
}

function turnAfterSetUp(game: GameView, stones: ReadonlyMap<string, Stone>, node: TreeNode): { turn: Colour; left: number } {
  const told = node.properties["PL"]?.[0] ?? (node.children[0] && moveOf(node.children[0])?.colour);
  const black = [...stones.values()].filter((stone) => stone.colour === "black").length;
  const inferred = inferTurn(game, black, stones.size - black);
  const turn = told ? (told.toLowerCase().startsWith("b") ? "black" : "white") : (inferred?.turn ?? "black");
  const left = node.properties["LEFT"]?.[0];
  return { turn, left: left ? Number(left) : inferred?.turn === turn ? inferred.left : game.p };
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
