// The board: own SVG, one unit a square. What does not change is drawn once.

import { useComputed, useSignal } from "@preact/signals";
import { memo } from "preact/compat";
import { touch } from "../model/actions";
import type { Colour } from "../model/record";
import { columnName, keyOf, nameOf, parseSquares, type Square } from "../model/squares";
import { current, hints, open, pending, position, preview, settings, setUp, tool } from "../model/state";
import { text } from "../texts";
import { candidatesHere } from "./candidates";
import { areaOf, View } from "./view";

export function Board() {
  const hovered = useSignal<Square | null>(null);
  const view = useComputed(() => {
    const here = position.value;
    return here && open.value ? new View(areaOf(open.value.game, here), settings.value.turns, settings.value.mirrored) : null;
  });
  if (!view.value || !position.value) return <div class="board" />;
  const seen = view.value;
  const margin = settings.value.coordinates ? 1.15 : 0.7;
  const squareAt = (event: MouseEvent): Square | null => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    const unit = box.width / (seen.width - 1 + 2 * margin);
    return seen.square(Math.round((event.clientX - box.left) / unit - margin), Math.round((event.clientY - box.top) / unit - margin));
  };
  return (
    <svg
      class={`board ${tool.value === "play" ? "" : "marking"}`}
      viewBox={`${-margin} ${-margin} ${seen.width - 1 + 2 * margin} ${seen.height - 1 + 2 * margin}`}
      role="img"
      aria-label={text("board")}
      onClick={(event) => {
        const square = squareAt(event);
        if (square) void touch(square);
      }}
      onMouseMove={(event) => (hovered.value = squareAt(event))}
      onMouseLeave={() => (hovered.value = null)}
    >
      <Wood width={seen.width} height={seen.height} margin={margin} />
      <Grid area={seen.area} turns={settings.value.turns} mirrored={settings.value.mirrored} coordinates={settings.value.coordinates} />
      <Threats view={seen} />
      <Stones view={seen} />
      <Marks view={seen} />
      <Candidates view={seen} />
      <Hovered view={seen} square={hovered.value} />
    </svg>
  );
}

const Wood = memo(function Wood({ width, height, margin }: { width: number; height: number; margin: number }) {
  return (
    <>
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
        <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stop-color="var(--wood-1)" />
          <stop offset="1" stop-color="var(--wood-2)" />
        </linearGradient>
      </defs>
      <rect x={-margin} y={-margin} width={width - 1 + 2 * margin} height={height - 1 + 2 * margin} fill="url(#wood)" rx="0.25" />
    </>
  );
});

interface GridProps {
  area: View["area"];
  turns: number;
  mirrored: boolean;
  coordinates: boolean;
}

const Grid = memo(
  function Grid({ area, turns, mirrored, coordinates }: GridProps) {
    const view = new View(area, turns, mirrored);
    const { width, height } = view;
    const isInfinite = open.value?.game.columns === null;
    const over = isInfinite ? 0.6 : 0;
    let lines = "";
    for (let x = 0; x < width; ++x) lines += `M${x} ${-over}V${height - 1 + over}`;
    for (let y = 0; y < height; ++y) lines += `M${-over} ${y}H${width - 1 + over}`;
    return (
      <g class="grid">
        <path d={lines} />
        {!isInfinite && <rect x="0" y="0" width={width - 1} height={height - 1} class="edge" />}
        {starPoints(area.columns, area.rows, isInfinite).map(([x, y]) => {
          const [across, down] = view.place({ x: x + area.left, y: y + area.bottom });
          return <circle key={`${x},${y}`} cx={across} cy={down} r="0.11" />;
        })}
        {coordinates && <Coordinates view={view} />}
      </g>
    );
  },
  (a, b) =>
    a.turns === b.turns &&
    a.mirrored === b.mirrored &&
    a.coordinates === b.coordinates &&
    a.area.left === b.area.left &&
    a.area.bottom === b.area.bottom &&
    a.area.columns === b.area.columns &&
    a.area.rows === b.area.rows,
);

function Coordinates({ view }: { view: View }) {
  const labels = [];
  const isTurned = settings.value.turns % 2 === 1;
  const name = (square: Square, isColumn: boolean) => (isColumn ? columnName(square.x) : String(square.y + 1));
  for (let across = 0; across < view.width; ++across) {
    const square = view.square(across, 0)!;
    labels.push(<text key={`c${across}`} x={across} y={view.height - 1 + 0.78} class="coordinate">{name(square, !isTurned)}</text>);
  }
  for (let down = 0; down < view.height; ++down) {
    const square = view.square(0, down)!;
    labels.push(<text key={`r${down}`} x={-0.74} y={down} class="coordinate">{name(square, isTurned)}</text>);
  }
  return <>{labels}</>;
}

function starPoints(columns: number, rows: number, isInfinite: boolean): [number, number][] {
  if (isInfinite || columns < 9 || rows < 9) return [];
  const along = (size: number) => (size >= 13 && size % 2 === 1 ? [3, (size - 1) / 2, size - 4] : size % 2 === 1 ? [(size - 1) / 2] : [3, size - 4]);
  return along(columns).flatMap((x) => along(rows).map((y): [number, number] => [x, y]));
}

function Disc({ x, y, colour, class: name = "" }: { x: number; y: number; colour: Colour; class?: string }) {
  return <circle cx={x} cy={y} r="0.465" class={`stone ${colour} ${name}`} fill={`url(#${colour}-stone)`} />;
}

function Stones({ view }: { view: View }) {
  const here = position.value!;
  const free = setUp.value;
  if (free) {
    return (
      <g>
        {(["black", "white"] as const).flatMap((colour) =>
          free[colour].map((square) => {
            const [x, y] = view.place(square);
            return <Disc key={nameOf(square)} x={x} y={y} colour={colour} />;
          }),
        )}
      </g>
    );
  }
  const last = new Set(here.lastMove.map(({ x, y }) => keyOf(x, y)));
  const row = new Set(here.row.map(({ x, y }) => keyOf(x, y)));
  return (
    <g>
      {[...here.stones].map(([key, stone]) => {
        const [x, y] = view.place(stone);
        return (
          <g key={key} class={row.has(key) ? "in-row" : ""}>
            <circle cx={x + 0.035} cy={y + 0.06} r="0.48" class="shadow" />
            <Disc x={x} y={y} colour={stone.colour} />
            {settings.value.numbers && stone.number > 0 ? (
              <text x={x} y={y} class={`number on-${stone.colour} ${last.has(key) ? "last" : ""}`}>{stone.number}</text>
            ) : (
              last.has(key) && <circle cx={x} cy={y} r="0.13" class="last-move" />
            )}
          </g>
        );
      })}
      {pending.value.map((square) => {
        const [x, y] = view.place(square);
        return <Disc key={nameOf(square)} x={x} y={y} colour={here.turn} class="pending" />;
      })}
      <Preview view={view} />
    </g>
  );
}

function Preview({ view }: { view: View }) {
  const here = position.value!;
  let colour = here.turn;
  const stones = preview.value.flatMap((move, number) => {
    const mine = colour;
    colour = colour === "black" ? "white" : "black";
    return parseSquares(move).map((square) => ({ square, colour: mine, number: number + 1 }));
  });
  return (
    <g class="preview">
      {stones.map(({ square, colour: mine, number }) => {
        const [x, y] = view.place(square);
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

const SHAPES: Record<string, string> = {
  TR: "M0 -0.27L0.25 0.17H-0.25Z",
  SQ: "M-0.2 -0.2H0.2V0.2H-0.2Z",
  CR: "M0 -0.24A0.24 0.24 0 1 1 -0.001 -0.24Z",
  MA: "M-0.2 -0.2L0.2 0.2M0.2 -0.2L-0.2 0.2",
};

function Marks({ view }: { view: View }) {
  const here = position.value!;
  const properties = current.value?.properties ?? {};
  const on = ({ x, y }: Square) => here.stones.get(keyOf(x, y))?.colour ?? "wood";
  const next = (current.value?.children ?? []).map((child, index) => ({ child, index }));
  return (
    <g>
      {settings.value.threats || preview.value.length > 0 || setUp.value
        ? null
        : next.flatMap(({ child, index }) =>
            parseSquares((child.properties["B"] ?? child.properties["W"] ?? [])[0] ?? "").map((square) => {
              const [x, y] = view.place(square);
              return <circle key={`${child.id}-${nameOf(square)}`} cx={x} cy={y} r={index === 0 ? 0.16 : 0.12} class={`next ${index === 0 ? "main" : ""}`} />;
            }),
          )}
      {Object.entries(SHAPES).flatMap(([property, shape]) =>
        parseSquares((properties[property] ?? []).join(" ")).map((square) => {
          const [x, y] = view.place(square);
          return <path key={`${property}${nameOf(square)}`} d={shape} transform={`translate(${x} ${y})`} class={`mark on-${on(square)}`} />;
        }),
      )}
      {(properties["LB"] ?? []).map((label) => {
        const at = label.indexOf(":");
        const square = parseSquares(label.slice(0, at))[0];
        if (!square) return null;
        const [x, y] = view.place(square);
        return (
          <g key={label}>
            {on(square) === "wood" && <circle cx={x} cy={y} r="0.36" class="label-ground" />}
            <text x={x} y={y} class={`label on-${on(square)}`}>{label.slice(at + 1)}</text>
          </g>
        );
      })}
    </g>
  );
}

function Threats({ view }: { view: View }) {
  const told = hints.value;
  if (!settings.value.threats || !told || told.node !== current.value?.id) return null;
  return (
    <g>
      {(["black", "white"] as const).map((side) => {
        const { segments, defences, lines } = told.found[side];
        const middle = (names: string[]) => names.flatMap(parseSquares).map((square) => view.place(square));
        const strip = (names: string[]) => {
          const places = middle(names);
          return `M${places[0]!.join(" ")}L${places.at(-1)!.join(" ")}`;
        };
        return (
          <g key={side} class={`threats of-${side}`}>
            {lines.map((line) => line.squares.length > 1 && <path key={`l${line.squares.join("")}`} d={strip(line.squares)} class={`live ${line.kind}`} />)}
            {segments.map((names) => <path key={names.join("")} d={strip(names)} class="segment" />)}
            {[...new Set(defences.flat())].map((name) => {
              const [x, y] = middle([name])[0]!;
              return <rect key={name} x={x - 0.2} y={y - 0.2} width="0.4" height="0.4" transform={`rotate(45 ${x} ${y})`} class="defence" />;
            })}
          </g>
        );
      })}
    </g>
  );
}

function Candidates({ view }: { view: View }) {
  if (preview.value.length > 0 || setUp.value || pending.value.length > 0) return null;
  return (
    <g>
      {candidatesHere.value.slice(0, settings.value.lines).map(({ order, move, win }) => {
        const places = parseSquares(move).map((square) => view.place(square));
        return (
          <g key={move} class="candidate" style={{ "--value": win === null ? 0.5 : win, opacity: order === 0 ? 1 : 0.78 }}>
            {places.length > 1 && <path d={`M${places.map((place) => place.join(" ")).join("L")}`} class="pair" />}
            {places.map(([x, y]) => (
              <g key={`${x},${y}`}>
                <circle cx={x} cy={y} r="0.44" />
                <text x={x} y={y}>{win === null ? order + 1 : Math.round(win * 100)}</text>
              </g>
            ))}
          </g>
        );
      })}
    </g>
  );
}

function Hovered({ view, square }: { view: View; square: Square | null }) {
  const here = position.value!;
  if (!square || here.winner || here.stones.has(keyOf(square.x, square.y))) return null;
  const [x, y] = view.place(square);
  if (tool.value !== "play" && !setUp.value) return <circle cx={x} cy={y} r="0.3" class="aim" />;
  const colour = setUp.value ? (tool.value === "white" ? "white" : "black") : here.turn;
  return <Disc x={x} y={y} colour={colour} class="ghost" />;
}
