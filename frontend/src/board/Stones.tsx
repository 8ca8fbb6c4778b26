// Stones. Each is drawn when it comes and when something about it changes, not when another one is played.

import { memo } from "preact/compat";
import { previewed } from "../model/preview";
import { other, type Colour } from "../model/record";
import { keyOf, nameOf, parseSquares, type Square } from "../model/squares";
import { laid, pending, position, settings, setUp, tool } from "../model/state";
import { view } from "./camera";

export function Stones() {
  if (setUp.value) return <FreeStones />;
  const here = position.value!;
  const last = new Set(here.lastMove.map(({ x, y }) => keyOf(x, y)));
  const row = new Set(here.row.map(({ x, y }) => keyOf(x, y)));
  const showsNumbers = laid.value ? laid.value.showsNumbers : settings.value.numbers;
  return (
    <g>
      {[...here.stones].map(([key, stone]) => {
        const [x, y] = view.value!.place(stone);
        const number = showsNumbers ? stone.number : 0;
        return <Stone key={key} x={x} y={y} colour={stone.colour} number={number} isLast={last.has(key)} isInRow={row.has(key)} />;
      })}
      <Pending />
      <Preview />
    </g>
  );
}

interface StoneProps {
  x: number;
  y: number;
  colour: Colour;
  number: number; // 0: none is shown
  isLast: boolean;
  isInRow: boolean;
}

const Stone = memo(function Stone({ x, y, colour, number, isLast, isInRow }: StoneProps) {
  return (
    <g class={isInRow ? "in-row" : ""}>
      <circle cx={x + 0.035} cy={y + 0.06} r="0.48" class="shadow" />
      <Disc x={x} y={y} colour={colour} />
      {number > 0 ? (
        <text x={x} y={y} class={`number on-${colour} ${number > 99 ? "long" : ""} ${isLast ? "last" : ""}`}>{number}</text>
      ) : (
        isLast && <circle cx={x} cy={y} r="0.13" class={`last-move on-${colour}`} />
      )}
    </g>
  );
});

export function Disc({ x, y, colour, class: name = "" }: { x: number; y: number; colour: Colour; class?: string }) {
  return <circle cx={x} cy={y} r="0.465" class={`stone ${colour} ${name}`} fill={`url(#${colour}-stone)`} />;
}

function FreeStones() {
  const stones = setUp.value!;
  return (
    <g>
      {(["black", "white"] as const).flatMap((colour) =>
        stones[colour].map((square) => {
          const [x, y] = view.value!.place(square);
          return <Stone key={nameOf(square)} x={x} y={y} colour={colour} number={0} isLast={false} isInRow={false} />;
        }),
      )}
    </g>
  );
}

function Pending() {
  return (
    <>
      {pending.value.map((square) => {
        const [x, y] = view.value!.place(square);
        return <Disc key={nameOf(square)} x={x} y={y} colour={position.value!.turn} class="pending" />;
      })}
    </>
  );
}

function Preview() {
  let colour = position.value!.turn;
  const stones = previewed.value.flatMap((move, number) => {
    const mine = colour;
    colour = other(colour);
    return parseSquares(move).map((square) => ({ square, colour: mine, number: number + 1 }));
  });
  return (
    <g class="preview">
      {stones.map(({ square, colour: mine, number }) => {
        const [x, y] = view.value!.place(square);
        return (
          <g key={nameOf(square)}>
            <Disc x={x} y={y} colour={mine} />
            <text x={x} y={y} class={`number on-${mine}`}>{number}</text>
          </g>
        );
      })}
    </g>
  );
}

// What a click would do.
export function Aim({ square }: { square: Square | null }) {
  const here = position.value!;
  if (!square || here.winner || previewed.value.length > 0 || here.stones.has(keyOf(square.x, square.y))) return null;
  const [x, y] = view.value!.place(square);
  if (!laid.value && tool.value !== "play" && !setUp.value) return <circle cx={x} cy={y} r="0.3" class="aim" />;
  return <Disc x={x} y={y} colour={setUp.value ? (tool.value === "white" ? "white" : "black") : here.turn} class="ghost" />;
}

// Below the stones: the band on which a won row stands.
export function WinningRow() {
  const row = position.value!.row;
  if (row.length === 0 || setUp.value) return null;
  const [first, last] = [view.value!.place(row[0]!), view.value!.place(row.at(-1)!)];
  const line = `M${first.join(" ")}L${last.join(" ")}`;
  return (
    <g class="winning-row" key={line}>
      <path d={line} class="glow" pathLength="1" />
      <path d={line} class="band" pathLength="1" />
    </g>
  );
}
