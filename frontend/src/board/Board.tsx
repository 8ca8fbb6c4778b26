// The board: own SVG, one unit a square, in layers that follow what they show and nothing else.

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { touch } from "../model/actions";
import { isPreviewing, takeLine } from "../model/preview";
import { keyOf, nameOf, parseSquares, type Square } from "../model/squares";
import { isPlaying, laid, open, pending, position, preview, settings, setUp, tool } from "../model/state";
import { text } from "../texts";
import { BoardInWords } from "./BoardInWords";
import { chosenBox, scale, seenBox, showAll, view } from "./camera";
import { candidatesHere } from "./candidates";
import { onPointerDown, onPointerEnd, onPointerMove, onWheel, placeAt, wasDrag } from "./gestures";
import { Grid } from "./Grid";
import { Hinted, Marks } from "./Marks";
import { Candidates, Defences, Threats, Zones } from "./Overlays";
import { Aim, Stones, WinningRow } from "./Stones";
import "./board.css";

export function Board() {
  const hovered = useSignal<Square | null>(null);
  const wasTaken = useSignal(false); // whether the first click of two fell on a stone
  const isReady = useComputed(() => view.value !== null && position.value !== null);
  const outlook = useComputed(() => [laid.value?.id ?? open.value?.id, settings.value.turns, settings.value.mirrored].join());
  useSignalEffect(() => {
    if (outlook.value) showAll();
  });
  if (!isReady.value) return <div class="board empty" />;
  const squareOf = (event: MouseEvent): Square | null => {
    const [across, down] = placeAt(event);
    return view.value!.square(Math.round(across), Math.round(down));
  };
  const onMove = (event: MouseEvent) => {
    const square = event.buttons === 0 ? squareOf(event) : null;
    if (square && hovered.value && nameOf(square) === nameOf(hovered.value)) return;
    hovered.value = square;
    previewAt(square);
  };
  const onClick = (event: MouseEvent) => {
    if (wasDrag()) return;
    const square = squareOf(event);
    const isTaken = !square || position.value!.stones.has(keyOf(square.x, square.y));
    if (event.detail === 2 && isTaken && wasTaken.value) showAll();
    wasTaken.value = isTaken;
    if (!square) return;
    const candidate = candidateAt(square);
    if (candidate && isPreviewing() && !event.shiftKey) void takeLine(candidate.line, false);
    else void touch(square);
  };
  return (
    <div class="board-frame">
      <Frame
        onClick={onClick}
        onMouseMove={onMove}
        onMouseLeave={() => {
          if (hovered.value) previewAt((hovered.value = null));
        }}
      >
        <Shades />
        <Grid />
        {!laid.value && <Zones />}
        {!laid.value && <Threats />}
        {!laid.value && <Defences />}
        <WinningRow />
        <Stones />
        {laid.value ? <Hinted squares={laid.value.hinted} /> : <Marks />}
        {!laid.value && <Candidates />}
        <Hovered square={hovered} />
      </Frame>
      <BoardInWords />
    </div>
  );
}

// The one part that follows the camera.
interface FrameProps {
  onClick: (event: MouseEvent) => void;
  onMouseMove: (event: MouseEvent) => void;
  onMouseLeave: () => void;
  children: preact.ComponentChildren;
}

function Frame({ children, ...listeners }: FrameProps) {
  const { left, top, width, height } = seenBox.value;
  const isMovable = chosenBox.value !== null || view.value!.isEndless;
  return (
    <svg
      class={`board ${tool.value === "play" ? "" : "marking"} ${isMovable ? "movable" : ""}`}
      style={{ aspectRatio: `${width} / ${height}`, "--scale": Math.min(2, Math.max(1, scale.value)), "--thickness": Math.min(2, Math.max(0.4, scale.value)) }}
      viewBox={`${left} ${top} ${width} ${height}`}
      role="img"
      aria-label={text("board")}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onWheel={onWheel}
      {...listeners}
    >
      {children}
    </svg>
  );
}

function Hovered({ square }: { square: { value: Square | null } }) {
  return <Aim square={square.value} />;
}

// The candidate that a click takes whole. In a game a click is one stone, also where a hint is.
function candidateAt(square: Square) {
  if (laid.value || isPlaying.value || tool.value !== "play" || setUp.value || pending.value.length > 0) return undefined;
  const shown = candidatesHere.value.slice(0, settings.value.lines);
  return shown.find(({ move }) => parseSquares(move).some(({ x, y }) => x === square.x && y === square.y));
}

function previewAt(square: Square | null): void {
  const line = (square && candidateAt(square)?.line) ?? [];
  if (line.length > 0 || preview.value.length > 0) preview.value = line;
}

export function Shades() {
  return (
    <defs>
      <radialGradient id="black-stone" cx="0.36" cy="0.32" r="0.75">
        <stop offset="0" stop-color="#6d6f78" />
        <stop offset="0.35" stop-color="#34353c" />
        <stop offset="1" stop-color="#121317" />
      </radialGradient>
      <radialGradient id="white-stone" cx="0.36" cy="0.32" r="0.8">
        <stop offset="0" stop-color="#ffffff" />
        <stop offset="0.6" stop-color="#f3f0e8" />
        <stop offset="1" stop-color="#cdc6b6" />
      </radialGradient>
    </defs>
  );
}
