// The record as a tree. Only what is seen is drawn, so thousands of nodes cost no more than a screenful.

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { memo } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import { goTo } from "../model/actions";
import { moveNumber, moveOf, type TreeNode } from "../model/record";
import { current, open, version } from "../model/state";
import { text } from "../texts";
import { collapsed, hiddenBelow, toggle } from "./collapsed";
import { layOut, type Placed } from "./layout";
import "./tree.css";

const COLUMN = 34;
const ROW = 32;
const MARGIN = 20;
const FOLD_ROOM = 40; // what is folded away after the last column

export function Tree() {
  const box = useRef<HTMLDivElement>(null);
  const scroll = useSignal({ left: 0, top: 0, width: 600, height: 240 });
  const layout = useComputed(() => {
    void version.value;
    return open.value ? layOut(open.value.tree.root, collapsed.value) : null;
  });
  const look = () => {
    const view = box.current;
    if (!view) return; // the last scrolling is told after another page has come
    scroll.value = { left: view.scrollLeft, top: view.scrollTop, width: view.clientWidth, height: view.clientHeight };
  };
  useSignalEffect(() => {
    const place = current.value && layout.value?.places.get(current.value.id);
    const view = box.current;
    if (!place || !view) return;
    const x = MARGIN + place.column * COLUMN;
    const y = MARGIN + place.row * ROW;
    if (x < view.scrollLeft + COLUMN || x > view.scrollLeft + view.clientWidth - COLUMN) view.scrollLeft = x - view.clientWidth / 2;
    if (y < view.scrollTop + ROW || y > view.scrollTop + view.clientHeight - ROW) view.scrollTop = y - view.clientHeight / 2;
    look();
  });
  const isLaidOut = layout.value !== null;
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(look); // a larger window shows more of the tree
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isLaidOut]);
  if (!layout.value) return null;
  const { byColumn, columns, rows, places } = layout.value;
  const { left, top, width, height } = scroll.value;
  const firstColumn = Math.max(0, Math.floor((left - MARGIN) / COLUMN) - 1);
  const lastColumn = Math.min(columns - 1, Math.ceil((left + width - MARGIN) / COLUMN) + 1);
  const firstRow = Math.floor((top - MARGIN) / ROW) - 1;
  const lastRow = Math.ceil((top + height - MARGIN) / ROW) + 1;
  const seen: Placed[] = [];
  const strokes: string[] = [];
  for (let column = firstColumn; column <= lastColumn; ++column) {
    for (const placed of byColumn[column] ?? []) {
      const parent = placed.node.parent && places.get(placed.node.parent.id);
      if (parent && placed.row >= firstRow && parent.row <= lastRow) strokes.push(strokeTo(parent, placed));
      if (placed.row >= firstRow && placed.row <= lastRow) seen.push(placed);
    }
  }
  return (
    <div class="tree" ref={box} onScroll={look} tabIndex={0} role="group" aria-label={text("tree")}>
      <svg aria-hidden="true" width={2 * MARGIN + (columns - 1) * COLUMN + FOLD_ROOM} height={2 * MARGIN + (rows - 1) * ROW}>
        <path d={strokes.join("")} class="strokes" />
        {seen.map(({ node, column, row }) => (
          <Knot
            key={node.id}
            node={node}
            x={MARGIN + column * COLUMN}
            y={MARGIN + row * ROW}
            isCurrent={node === current.value}
            isCollapsed={collapsed.value.has(node.id)}
            hasVariations={node.children.length > 1}
            number={moveNumber(node)}
            properties={node.properties}
          />
        ))}
      </svg>
    </div>
  );
}

function strokeTo(parent: Placed, child: Placed): string {
  const [x1, y1] = [MARGIN + parent.column * COLUMN, MARGIN + parent.row * ROW];
  const [x2, y2] = [MARGIN + child.column * COLUMN, MARGIN + child.row * ROW];
  return y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}V${y2 - 12}Q${x1} ${y2} ${x1 + 12} ${y2}H${x2}`;
}

interface KnotProps {
  node: TreeNode;
  properties: TreeNode["properties"]; // another object when something in it changes
  number: number;
  x: number;
  y: number;
  isCurrent: boolean;
  isCollapsed: boolean;
  hasVariations: boolean;
}

const Knot = memo(function Knot({ node, properties, number, x, y, isCurrent, isCollapsed, hasVariations }: KnotProps) {
  const move = moveOf(node);
  const comment = properties["C"]?.[0];
  return (
    <g
      class={`knot ${move?.colour ?? "none"} ${isCurrent ? "current" : ""} ${comment ? "commented" : ""}`}
      transform={`translate(${x} ${y})`}
      onClick={() => goTo(node.id)}
      onDblClick={() => toggle(node)}
    >
      <title>{[move?.text, comment?.slice(0, 200)].filter(Boolean).join("\n")}</title>
      {isCurrent && <circle r="15.5" class="halo" />}
      {move ? <circle r="11.5" class="disc" /> : <rect x="-7" y="-7" width="14" height="14" rx="3" class="disc" transform="rotate(45)" />}
      {move && <text>{number}</text>}
      {comment && <circle cx="9" cy="-9" r="3.2" class="note" />}
      {(hasVariations || isCollapsed) && <Fold node={node} isCollapsed={isCollapsed} />}
    </g>
  );
});

function Fold({ node, isCollapsed }: { node: TreeNode; isCollapsed: boolean }) {
  const hidden = isCollapsed ? hiddenBelow(node) : 0;
  const width = isCollapsed ? 12 + 6 * String(hidden).length : 11;
  return (
    <g
      class={`fold ${isCollapsed ? "closed" : ""}`}
      transform={isCollapsed ? "translate(14 0)" : "translate(11.5 0)"}
      onClick={(event) => {
        event.stopPropagation();
        toggle(node);
      }}
      onDblClick={(event) => event.stopPropagation()}
    >
      <title>{isCollapsed ? text("unfold") : text("fold")}</title>
      <rect x={isCollapsed ? 0 : -1} y={isCollapsed ? -8 : -5.5} width={width} height={isCollapsed ? 16 : 11} rx={isCollapsed ? 8 : 5.5} />
      {isCollapsed ? <text x={width / 2}>+{hidden}</text> : <path d="M1.5 0H7.5" />}
    </g>
  );
}
