// What the record says of squares: marks, texts, and the moves that follow.

import { keyOf, nameOf, parseSquares, type Square } from "../model/squares";
import { current, position, preview, settings, setUp, version } from "../model/state";
import { view } from "./camera";

const SHAPES: Record<string, string> = {
  TR: "M0 -0.27L0.25 0.17H-0.25Z",
  SQ: "M-0.2 -0.2H0.2V0.2H-0.2Z",
  CR: "M0 -0.24A0.24 0.24 0 1 1 -0.001 -0.24Z",
  MA: "M-0.2 -0.2L0.2 0.2M0.2 -0.2L-0.2 0.2",
};

export function Marks() {
  void version.value; // the node stays the same when what it holds changes
  const seen = view.value!;
  const here = position.value!;
  const properties = current.value?.properties ?? {};
  const on = ({ x, y }: Square) => here.stones.get(keyOf(x, y))?.colour ?? "wood";
  return (
    <g>
      <NextMoves />
      {Object.entries(SHAPES).flatMap(([property, shape]) =>
        parseSquares((properties[property] ?? []).join(" ")).map((square) => {
          const [x, y] = seen.place(square);
          return <path key={`${property}${nameOf(square)}`} d={shape} transform={`translate(${x} ${y})`} class={`mark on-${on(square)}`} />;
        }),
      )}
      {(properties["LB"] ?? []).map((label) => {
        const at = label.indexOf(":");
        const square = parseSquares(label.slice(0, at))[0];
        if (!square) return null;
        const [x, y] = seen.place(square);
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

// Squares that a hint points at.
export function Hinted({ squares }: { squares: readonly Square[] }) {
  return (
    <g>
      {squares.map((square) => {
        const [x, y] = view.value!.place(square);
        return <circle key={nameOf(square)} cx={x} cy={y} r="0.36" class="hinted" />;
      })}
    </g>
  );
}

function NextMoves() {
  void version.value;
  if (settings.value.threats || preview.value.length > 0 || setUp.value) return null;
  return (
    <>
      {(current.value?.children ?? []).flatMap((child, index) =>
        parseSquares((child.properties["B"] ?? child.properties["W"] ?? [])[0] ?? "").map((square) => {
          const [x, y] = view.value!.place(square);
          return <circle key={`${child.id}-${nameOf(square)}`} cx={x} cy={y} r={index === 0 ? 0.16 : 0.12} class={`next ${index === 0 ? "main" : ""}`} />;
        }),
      )}
    </>
  );
}
