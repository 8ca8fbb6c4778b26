// A board of its own for openings: the stones of a line, the move that is pointed at, and squares to click.

import { Shades } from "../board/Board";
import { Lines } from "../board/Grid";
import { Disc } from "../board/Stones";
import { View } from "../board/view";
import type { Colour } from "../model/record";
import { columnName, nameOf, parseSquares, type Square } from "../model/squares";
import { text } from "../texts";

const SIZE = 19;
const MARGIN = 1.1;
const view = new View({ columns: SIZE, rows: SIZE }, 0, false);

interface Props {
  moves: readonly string[];
  pointed: readonly Square[];
  begun: string | null;
  onSquare: (name: string) => void;
}

export function OpeningBoard({ moves, pointed, begun, onSquare }: Props) {
  const colourOf = (index: number): Colour => (index % 2 === 0 ? "black" : "white");
  const stones = moves.flatMap((move, index) => parseSquares(move).map((square) => ({ square, colour: colourOf(index), number: index + 1 })));
  const taken = new Set(stones.map(({ square }) => nameOf(square)));
  const next = colourOf(moves.length);
  const ghosts = [...pointed, ...(begun ? parseSquares(begun) : [])].filter((square) => !taken.has(nameOf(square)));
  const onClick = (event: MouseEvent) => {
    const svg = event.currentTarget as SVGSVGElement;
    const { left, top, width } = svg.getBoundingClientRect();
    const unit = (SIZE - 1 + 2 * MARGIN) / width;
    const square = view.square(Math.round((event.clientX - left) * unit - MARGIN), Math.round((event.clientY - top) * unit - MARGIN));
    if (square && !taken.has(nameOf(square))) onSquare(nameOf(square));
  };
  const span = SIZE - 1 + 2 * MARGIN;
  return (
    <svg class="board opening-board" viewBox={`${-MARGIN} ${-MARGIN} ${span} ${span}`} role="img" aria-label={text("openingBoard", moves.join(" "))} onClick={onClick}>
      <Shades />
      <g class="grid">
        <Lines view={view} left={0} right={SIZE - 1} top={0} bottom={SIZE - 1} />
        <g style={{ fontSize: "0.42px" }}>
          {Array.from({ length: SIZE }, (_, index) => (
            <>
              <text x={index} y={SIZE - 1 + 0.78} class="coordinate">{columnName(index)}</text>
              <text x={-0.74} y={SIZE - 1 - index} class="coordinate">{index + 1}</text>
            </>
          ))}
        </g>
      </g>
      {stones.map(({ square, colour, number }) => {
        const [x, y] = view.place(square);
        return (
          <g key={nameOf(square)}>
            <circle cx={x + 0.035} cy={y + 0.06} r="0.48" class="shadow" />
            <Disc x={x} y={y} colour={colour} />
            <text x={x} y={y} class={`number on-${colour}`}>{number}</text>
          </g>
        );
      })}
      {ghosts.map((square) => {
        const [x, y] = view.place(square);
        return <Disc key={`ghost ${nameOf(square)}`} x={x} y={y} colour={next} class="opening-ghost" />;
      })}
    </svg>
  );
}
