// The board for those who hear it: what was played last is said, and all stones can be read, row by row.

import { nameOf, type Square } from "../model/squares";
import type { Position } from "../model/position";
import { position } from "../model/state";
import { text } from "../texts";

export function BoardInWords() {
  const here = position.value!;
  const stones = [...here.stones.values()].sort((a, b) => b.y - a.y || a.x - b.x);
  const ofColour = (colour: string) => stones.filter((stone) => stone.colour === colour);
  return (
    <section class="unseen" aria-label={text("boardInWords")}>
      <p aria-live="polite">{news(here)}</p>
      {(["black", "white"] as const).map((colour) => (
        <p key={colour}>
          {text(colour)}: {ofColour(colour).length === 0 ? text("noStones") : names(ofColour(colour))}
        </p>
      ))}
    </section>
  );
}

function news(here: Position): string {
  const last = here.lastMove[0] && here.stones.get(`${here.lastMove[0].x},${here.lastMove[0].y}`);
  const parts = last ? [`${text("lastMove")}: ${text(last.colour)} ${names(here.lastMove)}`] : [];
  if (here.winner) parts.push(`${text(here.winner)} ${text("wins")}: ${names(here.row)}`);
  else parts.push(here.isFull ? text("draw") : `${text(here.turn)} ${text("toMove")}`);
  return `${parts.join(". ")}.`;
}

function names(squares: readonly Square[]): string {
  return squares.map(nameOf).join(", ");
}
