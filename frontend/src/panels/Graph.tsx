// How the game went: Black's chances along the line that is shown, with the moves that missed something.

import { useSignal } from "@preact/signals";
import { goTo, showPage } from "../model/actions";
import { ask, begin, stopTask } from "../model/analyses";
import { moveOf, pathTo, type TreeNode } from "../model/record";
import { current, tasks, open, version } from "../model/state";
import { choose } from "../puzzles/model";
import { serverText, text } from "../texts";
import "./graph.css";

const HEIGHT = 100;
const SECONDS = [0.3, 1, 3, 10];

interface Point {
  readonly node: TreeNode;
  readonly value: number | null; // Black's chance, from 0 to 1
}

function lineThrough(node: TreeNode): TreeNode[] {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

export function Graph() {
  void version.value;
  const seconds = useSignal(1);
  const node = current.value;
  if (!node) return null;
  const line = lineThrough(node);
  const running = [...tasks.value.values()].find((task) => task.kind === "game" && task.document === open.value?.id && (task.state === "running" || task.state === "waiting"));
  const live = (running?.answer?.["values"] ?? {}) as Record<string, number>;
  const points = line.map((one): Point => {
    const value = live[one.id] ?? one.properties["V"]?.[0];
    return { node: one, value: value === undefined ? null : (Number(value) + 1) / 2 };
  });
  // What follows the last position that was looked at is no part of the game, but a line that was added to it.
  while (!running && points.length > 1 && points.at(-1)!.value === null && points.at(-1)!.node !== node) points.pop();
  const isKnown = points.filter(({ value }) => value !== null).length > 1;
  return (
    <div class="graph">
      <div class="row">
        {running ? (
          <>
            <button class="primary" onClick={() => void stopTask(running.id)}>{text("stop")}</button>
            <span class="quiet">{Number(running.answer?.["done"] ?? 0)} / {Number(running.answer?.["of"] ?? 0)}</span>
          </>
        ) : (
          <>
            <button class="primary" disabled={line.length < 2} onClick={() => void ask({ kind: "game", seconds: seconds.value })}>{text("lookOver")}</button>
            <select aria-label={text("secondsEach")} value={seconds.value} onChange={(event) => (seconds.value = Number(event.currentTarget.value))}>
              {SECONDS.map((one) => <option key={one} value={one}>{text("secondsAMove", one)}</option>)}
            </select>
          </>
        )}
      </div>
      {isKnown ? <Curve points={points} /> : <p class="quiet">{text("graphHint")}</p>}
      <Faults line={line} />
      {line.length > 1 && <Missed node={node} />}
    </div>
  );
}

// Wins that were missed become puzzles of one's own.
function Missed({ node }: { node: TreeNode }) {
  const task = [...tasks.value.values()].filter(({ kind, document }) => kind === "missed" && document === open.value?.id).at(-1);
  const isBusy = task?.state === "running" || task?.state === "waiting";
  const found = (task?.answer?.["found"] ?? []) as unknown[];
  const make = () => begin(`/api/documents/${open.value!.id}/missed?node=${node.id}`);
  const train = async () => {
    showPage("puzzles");
    await choose({ own: true, least: 1, most: 10, kind: "", theme: "" });
  };
  return (
    <div class="row wrap">
      {isBusy ? (
        <>
          <button onClick={() => void stopTask(task.id)}>{text("stop")}</button>
          <span class="quiet">{Number(task.answer?.["done"] ?? 0)} / {Number(task.answer?.["of"] ?? 0)}</span>
        </>
      ) : (
        <button onClick={() => void make()}>{text("missedPuzzles")}</button>
      )}
      {task?.error && <span class="error" role="alert">{serverText(task.error)}</span>}
      {task && !isBusy && !task.error && <span class="quiet" role="status">{text(found.length > 0 ? "missedFound" : "missedNone", found.length, Number(task.answer?.["new"] ?? 0))}</span>}
      {task && !isBusy && found.length > 0 && <button class="primary" onClick={() => void train()}>{text("solveThem")}</button>}
    </div>
  );
}

function Curve({ points }: { points: Point[] }) {
  const hovered = useSignal<number | null>(null);
  const width = Math.max(1, points.length - 1);
  const known = points.flatMap(({ value }, index) => (value === null ? [] : [[index, (1 - value) * HEIGHT] as const]));
  const path = known.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
  const here = points.findIndex(({ node }) => node === current.value);
  const shown = hovered.value ?? here;
  const at = (event: MouseEvent): number => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return Math.min(width, Math.max(0, Math.round(((event.clientX - box.left) / box.width) * width)));
  };
  const choose = (index: number) => points[index] && goTo(points[index].node.id);
  return (
    <div class="curve">
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text("graph")}
        onMouseMove={(event) => (hovered.value = at(event))}
        onMouseLeave={() => (hovered.value = null)}
        onClick={(event) => choose(at(event))}
      >
        <rect width={width} height={HEIGHT} class="white-share" />
        <path d={`${path}L${known.at(-1)![0]} ${HEIGHT}L${known[0]![0]} ${HEIGHT}Z`} class="black-share" />
        <path d={path} class="edge" />
        <line x1="0" x2={width} y1={HEIGHT / 2} y2={HEIGHT / 2} class="middle" />
        {points.map(({ node }, index) => node.properties["BM"] && <line key={node.id} x1={index} x2={index} y1="0" y2={HEIGHT} class="fault" />)}
        {hovered.value !== null && <line x1={hovered.value} x2={hovered.value} y1="0" y2={HEIGHT} class="aimed" />}
        <line x1={here} x2={here} y1="0" y2={HEIGHT} class="here" />
      </svg>
      <p class="said"><Said point={points[shown]} index={shown} /></p>
    </div>
  );
}

function Said({ point, index }: { point: Point | undefined; index: number }) {
  const move = point && moveOf(point.node);
  if (!point) return null;
  return (
    <>
      {move && <i class={`dot ${move.colour}`} />}
      <b>{move ? `${index}. ${move.text}` : text("atBeginning")}</b>
      <span class="quiet">{point.value === null ? "" : text("chances", Math.round(point.value * 100))}</span>
    </>
  );
}

function Faults({ line }: { line: TreeNode[] }) {
  const faults = line.filter((node) => node.properties["BM"]);
  if (faults.length === 0) return null;
  return (
    <ul class="faults" aria-label={text("faults")}>
      {faults.map((node) => {
        const move = moveOf(node);
        return (
          <li key={node.id} class={node === current.value ? "on" : ""}>
            <button onClick={() => goTo(node.id)}>
              <i class={`dot ${move?.colour}`} />
              <b>{line.indexOf(node)}. {move?.text}</b>
              <span class="quiet">{text(node.properties["BM"]![0] === "2" ? "missedWin" : "leftOpen")}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
