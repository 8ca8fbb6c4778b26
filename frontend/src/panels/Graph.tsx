// How the game went: Black's chances along the line that is shown, with the moves that missed something.

import { ask, goTo } from "../model/actions";
import { pathTo, type TreeNode } from "../model/record";
import { current, tasks, open, version } from "../model/state";
import { text } from "../texts";

const HEIGHT = 84;

function lineThrough(node: TreeNode): TreeNode[] {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

export function Graph() {
  void version.value;
  const node = current.value;
  if (!node) return null;
  const line = lineThrough(node);
  const running = [...tasks.value.values()].find((task) => task.kind === "game" && task.document === open.value?.id && task.state === "running");
  const live = (running?.answer?.["values"] ?? {}) as Record<string, number>;
  const values = line.map((one) => {
    const value = live[one.id] ?? one.properties["V"]?.[0];
    return value === undefined ? null : (Number(value) + 1) / 2;
  });
  const known = values.filter((value) => value !== null).length;
  const width = Math.max(1, line.length - 1);
  const points = values.flatMap((value, index) => (value === null ? [] : [`${index},${(1 - value) * HEIGHT}`]));
  const done = running?.answer?.["done"] as number | undefined;
  return (
    <section class="panel graph" aria-label={text("graph")}>
      <div class="row">
        <b>{text("graph")}</b>
        <span class="space" />
        {running ? (
          <span class="quiet">{done ?? 0} / {line.length}</span>
        ) : (
          <button onClick={() => void ask({ kind: "game", seconds: 1 })}>{text("lookOver")}</button>
        )}
      </div>
      {known > 1 && (
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={text("graph")}
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            const chosen = line[Math.round(((event.clientX - box.left) / box.width) * width)];
            if (chosen) goTo(chosen.id);
          }}
        >
          <rect width={width} height={HEIGHT} class="white-share" />
          <polygon points={`0,${HEIGHT} ${points.join(" ")} ${points.at(-1)!.split(",")[0]},${HEIGHT}`} class="black-share" />
          <line x1="0" x2={width} y1={HEIGHT / 2} y2={HEIGHT / 2} class="middle" />
          {line.map((one, index) => one.properties["BM"] && <line key={one.id} x1={index} x2={index} y1="0" y2={HEIGHT} class="fault" />)}
          <line x1={line.indexOf(node)} x2={line.indexOf(node)} y1="0" y2={HEIGHT} class="here" />
        </svg>
      )}
      <Faults line={line} />
    </section>
  );
}

function Faults({ line }: { line: TreeNode[] }) {
  const faults = line.filter((node) => node.properties["BM"]);
  if (faults.length === 0) return null;
  return (
    <p class="chips">
      {faults.map((node) => (
        <button key={node.id} class={`chip fault ${node === current.value ? "on" : ""}`} onClick={() => goTo(node.id)}>
          {text("fault", line.indexOf(node), (node.properties["B"] ?? node.properties["W"] ?? [""])[0] ?? "")}
        </button>
      ))}
    </p>
  );
}
