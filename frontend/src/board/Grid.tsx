// Lines, star points and coordinates: drawn anew only when another part of the board is seen.

import { useComputed } from "@preact/signals";
import { memo } from "preact/compat";
import { windowIs } from "../model/media";
import { settings } from "../model/state";
import { columnName } from "../model/squares";
import { scale, seenBox, view } from "./camera";
import type { View } from "./view";

const STONE = 0.56; // from the middle of a stone to the edge of its shadow
const AHEAD = 3; // lines of an infinite board beyond what is seen: small steps need none anew
const isNarrow = windowIs("(max-width: 560px)");

export function Grid() {
  const range = useComputed(() => JSON.stringify(linesSeen(view.value!)));
  const [left, right, top, bottom] = JSON.parse(range.value) as [number, number, number, number];
  return (
    <g class="grid">
      <Lines view={view.value!} left={left} right={right} top={top} bottom={bottom} />
      {settings.value.coordinates && <Coordinates />}
    </g>
  );
}

function linesSeen(seen: View): [number, number, number, number] {
  if (!seen.isEndless) return [0, seen.width - 1, 0, seen.height - 1];
  const { left, top, width, height } = seenBox.value;
  const from = (value: number) => Math.floor(value / AHEAD) * AHEAD - 1;
  const to = (value: number) => Math.ceil(value / AHEAD) * AHEAD + 1;
  return [from(left), to(left + width), from(top), to(top + height)];
}

interface LinesProps {
  view: View;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const Lines = memo(function Lines({ view, left, right, top, bottom }: LinesProps) {
  let lines = "";
  for (let x = left; x <= right; ++x) lines += `M${x} ${top}V${bottom}`;
  for (let y = top; y <= bottom; ++y) lines += `M${left} ${y}H${right}`;
  return (
    <>
      <path d={lines} />
      {!view.isEndless && <rect x="0" y="0" width={view.width - 1} height={view.height - 1} class="edge" />}
      {starPoints(view).map(([x, y]) => <circle key={`${x},${y}`} cx={x} cy={y} r="0.11" />)}
    </>
  );
});

function starPoints({ width, height, isEndless }: View): [number, number][] {
  if (isEndless || width < 9 || height < 9) return [];
  const along = (size: number) => (size >= 13 && size % 2 === 1 ? [3, (size - 1) / 2, size - 4] : size % 2 === 1 ? [(size - 1) / 2] : [3, size - 4]);
  return along(width).flatMap((x) => along(height).map((y): [number, number] => [x, y]));
}

// Names stand at the edge of what is seen, and are equally large however near one is.
function Coordinates() {
  const seen = view.value!;
  const { left, top, width, height } = seenBox.value;
  const size = scale.value * (isNarrow.value ? 1.4 : 1);
  const every = size < 1.6 ? 1 : size < 2.3 ? 2 : 5;
  const isTurned = seen.turns % 2 === 1;
  // Beyond the stones at the edge, which on a small board are large beside the letters.
  const away = (distance: number) => Math.max(distance * scale.value, STONE + (distance - STONE) * scale.value);
  const bottomLine = seen.isEndless ? Infinity : seen.height - 1 + away(0.78);
  const leftLine = seen.isEndless ? -Infinity : -away(0.74);
  const labelsBelow = Math.min(bottomLine, top + height - 0.25 * size);
  const labelsLeft = Math.max(leftLine, left + (seen.isEndless ? 0.4 : 0.28) * size);
  const labels = [];
  for (let across = Math.ceil(left + 0.8 * size); across <= left + width - 0.3; ++across) {
    const square = seen.square(across, seen.isEndless ? 0 : seen.height - 1);
    if (square) labels.push(label(isTurned ? square.y : square.x, !isTurned, across, labelsBelow));
  }
  for (let down = Math.ceil(top + 0.3); down <= top + height - 0.8 * size; ++down) {
    const square = seen.square(0, down);
    if (square) labels.push(label(isTurned ? square.x : square.y, isTurned, labelsLeft, down));
  }
  function label(number: number, isColumn: boolean, x: number, y: number) {
    if (every > 1 && (number + 1) % every !== 0 && (number !== 0 || seen.isEndless)) return null;
    return <text key={`${isColumn}${number}`} x={x} y={y} class="coordinate">{isColumn ? columnName(number) : number + 1}</text>;
  }
  return <g style={{ fontSize: `${0.36 * size}px` }}>{labels}</g>;
}
