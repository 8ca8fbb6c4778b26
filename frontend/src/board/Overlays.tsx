// What programs say of squares: threats, zones, candidates.

import { parseSquares } from "../model/squares";
import { current, hints, pending, preview, settings, setUp, tasksHere } from "../model/state";
import { view } from "./camera";
import { candidatesHere } from "./candidates";

export function Threats() {
  const told = hints.value;
  if (!settings.value.threats || !told || told.node !== current.value?.id) return null;
  return (
    <g>
      {(["black", "white"] as const).map((side) => {
        const { segments, defences, lines } = told.found[side];
        const middle = (names: string[]) => names.flatMap(parseSquares).map((square) => view.value!.place(square));
        const strip = (names: string[]) => {
          const places = middle(names);
          return `M${places[0]!.join(" ")}L${places.at(-1)!.join(" ")}`;
        };
        return (
          <g key={side} class={`threats of-${side}`}>
            {settings.value.openLines && lines.map((line) => line.squares.length > 1 && <path key={`l${line.squares.join("")}`} d={strip(line.squares)} class={`live ${line.kind}`} />)}
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

// Where extra stones of the defender could matter to a win that was found: each square with the number of its smallest zone.
export function Zones() {
  if (!settings.value.zones) return null;
  const zones = tasksHere.value.find((task) => task.kind === "solve")?.answer?.["zones"] as string[][] | undefined;
  const numbers = new Map<string, number>();
  zones?.forEach((names, index) => {
    for (const name of names) if (!numbers.has(name)) numbers.set(name, index + 1);
  });
  return (
    <g class="zones">
      {[...numbers].map(([name, number]) => {
        const [x, y] = view.value!.place(parseSquares(name)[0]!);
        return (
          <g key={name} class={`zone z${number}`}>
            <rect x={x - 0.47} y={y - 0.47} width="0.94" height="0.94" rx="0.14" />
            <text x={x + 0.36} y={y + 0.34}>{number}</text>
          </g>
        );
      })}
    </g>
  );
}

// The better of two candidates has the square; which stones belong together is seen under the mouse, but for the best.
export function Candidates() {
  if (preview.value.length > 0 || setUp.value || pending.value.length > 0) return null;
  const taken = new Set<string>();
  return (
    <g>
      {candidatesHere.value.slice(0, settings.value.lines).map(({ order, move, win }) => {
        const places = parseSquares(move).map((square) => view.value!.place(square));
        const own = places.filter((place) => !taken.has(place.join()));
        for (const place of own) taken.add(place.join());
        return (
          <g key={move} class={`candidate ${order === 0 ? "best" : ""}`} style={{ "--value": win === null ? 0.5 : win }}>
            {order === 0 && places.length > 1 && <path d={`M${places.map((place) => place.join(" ")).join("L")}`} class="pair" />}
            {own.map(([x, y]) => (
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

// Where somebody who is to lose may still go: each square of a move that is not proved to lose, the stronger the more
// such moves have it.
export function Defences() {
  const task = tasksHere.value.find(({ kind }) => kind === "defend");
  if (!task?.answer || preview.value.length > 0 || setUp.value || pending.value.length > 0 || candidatesHere.value.length > 0) return null;
  const squares = Object.entries((task.answer["squares"] ?? {}) as Record<string, number>);
  const most = Math.max(1, ...squares.map(([, count]) => count));
  return (
    <g class="defences">
      {squares.map(([name, count]) => {
        const [x, y] = view.value!.place(parseSquares(name)[0]!);
        return <rect key={name} x={x - 0.34} y={y - 0.34} width="0.68" height="0.68" rx="0.16" style={{ opacity: 0.25 + 0.6 * (count / most) }} />;
      })}
    </g>
  );
}
