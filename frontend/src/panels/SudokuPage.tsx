// Minimum Sudoku: all puzzles with a number of clues in a grid, and how far the campaigns in the store are.

import { signal, useSignal } from "@preact/signals";
import { noteTask, stopTask } from "../model/analyses";
import { tasks } from "../model/state";
import { request, RequestError } from "../net/request";
import type { CampaignView, Campaigns, TaskView } from "../net/types";
import { numberText, text } from "../texts";
import { Figure } from "./Figure";
import { Icon } from "./icons";
import { useLooking } from "./looking";
import "./pages.css";
import "./sudoku.css";

const LOOK_EVERY = 2000; // ms
const MOST_CLUES = 18;

// Kept while other pages are looked at. The first grid is the one that has 29 puzzles with 17 clues.
const entered = signal("639241785284765193517983624123857946796432851458619237342178569861594372975326418");
const clues = signal(17);
const problem = signal<string | null>(null);
const shownPuzzle = signal<string | null>(null);

export function SudokuPage() {
  const task = [...tasks.value.values()].filter(({ kind }) => kind === "sudoku").at(-1);
  return (
    <main class="page sudoku-page">
      <header><h1>{text("sudokuPage")}</h1></header>
      <p class="quiet">{text("sudokuHint")}</p>
      <Search task={task} />
      <CampaignList />
    </main>
  );
}

function Search({ task }: { task: TaskView | undefined }) {
  const grid = entered.value.replace(/\s/g, "");
  const isBusy = task?.state === "running" || task?.state === "waiting";
  const isAboutThis = task?.position === grid;
  const puzzles = isAboutThis ? ((task.answer?.["puzzles"] as string[] | undefined) ?? []) : [];
  const puzzle = shownPuzzle.value?.length === 81 && fits(shownPuzzle.value, grid) ? shownPuzzle.value : (puzzles[0] ?? null);
  return (
    <section class="card sudoku-search" aria-label={text("puzzlesOfGrid")}>
      <Picture grid={grid} puzzle={puzzle} />
      <div class="sudoku-side">
        <h2>{text("puzzlesOfGrid")}</h2>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void search();
          }}
        >
          <label>
            <span class="quiet">{text("gridDigits")}</span>
            <textarea rows={3} spellcheck={false} value={entered.value} aria-invalid={problem.value !== null} onInput={(event) => change(event.currentTarget.value)} />
          </label>
          <div class="row wrap">
            <label class="row">
              <span>{text("clues")}</span>
              <input type="number" min={1} max={MOST_CLUES} required value={clues.value} onChange={(event) => (clues.value = event.currentTarget.valueAsNumber)} />
            </label>
            {isBusy ? <button type="button" onClick={() => void stopTask(task.id)}>{text("stop")}</button> : <button class="primary">{text("searchPuzzles")}</button>}
          </div>
        </form>
        {problem.value && <p class="error" role="alert">{problem.value}</p>}
        {task && (isBusy || isAboutThis) && <Outcome task={task} />}
        {puzzles.length > 0 && <PuzzleList puzzles={puzzles} shown={puzzle} />}
      </div>
    </section>
  );
}

function change(grid: string): void {
  entered.value = grid;
  problem.value = null;
}

let isAsked = false; // for a search that is not told of yet

async function search(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  problem.value = shownPuzzle.value = null;
  try {
    noteTask(await request<TaskView>("POST", "/api/sudoku", { grid: entered.value, clues: clues.value }));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    problem.value = error.message;
  } finally {
    isAsked = false;
  }
}

function fits(puzzle: string, grid: string): boolean {
  return [...puzzle].every((sign, cell) => sign === "." || sign === grid[cell]);
}

function Outcome({ task }: { task: TaskView }) {
  const { state, answer, seconds, error } = task;
  const time = `${seconds.toFixed(1)} ${text("seconds")}`;
  if (error) return <p class="error" role="alert">{error}</p>;
  if (state === "waiting") return <p class="quiet" role="status">{text("waiting")}</p>;
  if (state === "running") {
    return (
      <div class="outcome">
        <progress aria-label={text("searchPuzzles")} />
        <p class="quiet">{text("lookedAt", numberText(Number(answer?.["looked"] ?? 0)), time, numberText(Number(answer?.["count"] ?? 0)))}</p>
      </div>
    );
  }
  const count = Number(answer?.["count"] ?? 0);
  const isAll = answer?.["complete"] === true;
  return (
    <p class="outcome" role="status">
      <b>{isAll ? text("puzzlesFound", numberText(count), Number(task.options["clues"])) : text("searchStopped", numberText(count))}</b> <span class="quiet">{time}</span>
    </p>
  );
}

function PuzzleList({ puzzles, shown }: { puzzles: string[]; shown: string | null }) {
  return (
    <ol class="puzzles" aria-label={text("puzzles")}>
      {puzzles.map((puzzle) => (
        <li key={puzzle}><button aria-pressed={puzzle === shown} onClick={() => (shownPuzzle.value = puzzle)}>{puzzle}</button></li>
      ))}
    </ol>
  );
}

// The grid as it is written so far; clues stand out.
function Picture({ grid, puzzle }: { grid: string; puzzle: string | null }) {
  const words = puzzle ? text("puzzleInWords", puzzle) : text("gridInWords", grid);
  return (
    <div class={`sudoku-grid ${puzzle ? "has-puzzle" : ""}`} role="img" aria-label={words}>
      {Array.from({ length: 81 }, (_, cell) => (
        <span key={cell} class={puzzle && puzzle[cell] !== "." ? "clue" : ""}>{/[1-9]/.test(grid[cell] ?? "") ? grid[cell] : ""}</span>
      ))}
    </div>
  );
}

function CampaignList() {
  const seen = useSignal<CampaignView[] | null>(null);
  // While the server is away the page says so, and shows what was seen last.
  useLooking(async () => (seen.value = await request<Campaigns>("GET", "/api/campaigns").then(({ campaigns }) => campaigns, () => seen.value)), LOOK_EVERY);
  if (!seen.value) return null;
  return (
    <>
      {seen.value.length === 0 && <p class="card quiet">{text("noCampaigns")}</p>}
      {seen.value.map((campaign) => <CampaignCard key={campaign.name} campaign={campaign} />)}
    </>
  );
}

function CampaignCard({ campaign }: { campaign: CampaignView }) {
  const { name, problem, clues, grids, grids_done: done, puzzle_count: count, per_minute: pace, seconds_left: left } = campaign;
  const title = text("campaign", name);
  const liars = Object.entries(campaign.liars ?? {});
  if (problem) return <section class="card" aria-label={title}><h2>{title}</h2><p class="error">{problem}</p></section>;
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="quiet">{text("withClues", clues)} · {text(campaign.trust === "sample" ? "trustSample" : "trustCompare")}</span>
      </header>
      <progress max={grids} value={done} aria-label={text("gridsDone")} />
      <dl class="figures">
        <Figure name={text("gridsDone")} value={`${numberText(done)} / ${numberText(grids)}`} />
        <Figure name={text("gridsPerMinute")} value={pace == null ? "–" : pace < 10 ? pace.toFixed(1) : numberText(Math.round(pace))} />
        <Figure name={text("timeLeft")} value={done === grids ? text("allChecked") : left == null ? "–" : duration(left)} />
        <Figure name={text("puzzles")} value={numberText(count)} />
        <Figure name={text("liars")} value={String(liars.length)} />
      </dl>
      {liars.map(([worker, reason]) => <p key={worker} class="liar"><Icon name="warning" /> <b>{worker}</b> <span class="quiet">{reason}</span></p>)}
      {(campaign.puzzles?.length ?? 0) > 0 && (
        <ol class="puzzles" aria-label={text("puzzles")}>
          {campaign.puzzles!.map(({ grid, puzzle }) => (
            <li key={puzzle}><button title={text("showAbove")} onClick={() => show(grid, puzzle)}>{puzzle}</button></li>
          ))}
        </ol>
      )}
    </section>
  );
}

function show(grid: string, puzzle: string): void {
  change(grid);
  shownPuzzle.value = puzzle;
  document.querySelector(".sudoku-grid")?.scrollIntoView({ block: "nearest" });
}

function duration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? text("minutesLeft", minutes) : text("hoursLeft", numberText(Math.floor(minutes / 60)), minutes % 60);
}
