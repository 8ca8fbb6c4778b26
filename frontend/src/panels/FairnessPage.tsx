// How fair the games of the family are: a map over k, p and q, and what is known of the game that is chosen.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { newDocumentOnBench, trying } from "../model/actions";
import { request } from "../net/request";
import type { FamilyCell, FamilyMap } from "../net/types";
import { serverText, text } from "../texts";
import type { Texts } from "../texts/en";
import "./pages.css";
import "./fairness.css";

// What a cell says, as the server names it: its sign and the class of its colour.
const LABELS: Record<string, { sign: string; style: string }> = {
  "black wins": { sign: "B", style: "black" },
  "white wins": { sign: "W", style: "white" },
  "a draw": { sign: "=", style: "draw" },
  "monotonically unfair": { sign: "m", style: "monotonic" },
  "empirically unfair": { sign: "e", style: "empirical" },
  "potentially fair": { sign: "f", style: "fair" },
};

const map = signal<FamilyMap | null>(null);
const chosen = signal("Connect(6,2,1)");

export function FairnessPage() {
  useEffect(() => {
    if (!map.value) void trying(async () => (map.value = await request<FamilyMap>("GET", "/api/fairness")));
  }, []);
  const cells = map.value?.cells ?? [];
  const cell = cells.find(({ game }) => game === chosen.value) ?? cells[0];
  return (
    <main class="page fairness-page">
      <header><h1>{text("fairnessPage")}</h1></header>
      <p class="quiet">{text("fairnessHint")}</p>
      {cell && (
        <div class="fairness-columns">
          <section class="card" aria-label={text("familyMap")}>
            <FamilyTable cells={cells} shown={cell} />
            <Legend />
          </section>
          <Known cell={cell} />
        </div>
      )}
    </main>
  );
}

function FamilyTable({ cells, shown }: { cells: FamilyCell[]; shown: FamilyCell }) {
  const columns = [...new Set(cells.map(({ k }) => k))];
  const rows = [...new Set(cells.map(({ p, q }) => `${p} ${q}`))].map((row) => cells.filter(({ p, q }) => row === `${p} ${q}`));
  return (
    <div class="scroll">
      <table class="family" onKeyDown={walk}>
        <thead>
          <tr>
            <th scope="col">p</th>
            <th scope="col">q</th>
            {columns.map((k) => <th key={k} scope="col"><span class="quiet">k=</span>{k}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row[0]!.p} ${row[0]!.q}`} class={row[0]!.q === 1 ? "first" : ""}>
              <th scope="row">{row[0]!.p}</th>
              <th scope="row">{row[0]!.q}</th>
              {row.map((cell) => <MapCell key={cell.k} cell={cell} isShown={cell === shown} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// One stop for the Tab key; arrows go on from there.
function MapCell({ cell, isShown }: { cell: FamilyCell; isShown: boolean }) {
  const { sign, style } = LABELS[cell.label]!;
  const name = `${cell.game}: ${said(cell.label)}`;
  return (
    <td>
      <button class={`cell ${style}`} aria-pressed={isShown} aria-label={name} title={name} tabIndex={isShown ? 0 : -1} onClick={() => (chosen.value = cell.game)}>
        {sign}
      </button>
    </td>
  );
}

const STEPS: Record<string, readonly [number, number]> = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function walk(event: KeyboardEvent): void {
  const step = event.shiftKey ? undefined : STEPS[event.key];
  const place = event.target instanceof Element ? event.target.closest("td") : null;
  if (!step || !place) return;
  event.preventDefault();
  const row = place.parentElement as HTMLTableRowElement;
  const rows = (row.parentElement as HTMLTableSectionElement).rows;
  const next = rows[row.sectionRowIndex + step[0]]?.cells[place.cellIndex + step[1]]?.querySelector("button");
  next?.focus();
  next?.click();
}

function Legend() {
  return (
    <ul class="legend">
      {Object.entries(LABELS).map(([label, { sign, style }]) => (
        <li key={label}><i class={`cell ${style}`}>{sign}</i>{said(label)}</li>
      ))}
    </ul>
  );
}

function Known({ cell }: { cell: FamilyCell }) {
  const { style } = LABELS[cell.label]!;
  return (
    <section class="card known" aria-label={text("evidence")} aria-live="polite">
      <header>
        <h2>{cell.game}</h2>
        <span class="space" />
        <button class="primary" onClick={() => void newDocumentOnBench(cell.game)}>{text("newRecord")}</button>
      </header>
      <p class="verdict-line"><i class={`cell ${style}`} />{said(cell.fairness)}{cell.label !== cell.fairness && ` · ${said(cell.label)}`}</p>
      <p class="quiet">{text("rulesOf", cell.k, cell.p, cell.q)}</p>
      {cell.evidence.length === 0 && <p class="quiet">{text("noEvidence")}</p>}
      <ul class="evidence">
        {cell.evidence.map(({ kind, says, why, source }) => (
          <li key={`${kind} ${why} ${source}`}>
            <p><b class="kind">{said(kind)}:</b> {said(says)}</p>
            <p>{serverText(why)}</p>
            {source.startsWith("tengen ") || source.startsWith("python ") ? <code>{source}</code> : <cite>{source}</cite>}
          </li>
        ))}
      </ul>
    </section>
  );
}

// The server's words in the language of the page; what people have written stays as it is.
function said(words: string): string {
  return text(`fair-${words}` as keyof Texts);
}
