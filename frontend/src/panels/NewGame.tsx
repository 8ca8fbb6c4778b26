// A new record of any game of the family: one of those that people know, or one by its numbers.

import { signal, useSignal } from "@preact/signals";
import { newDocumentOnBench } from "../model/actions";
import { desk, open } from "../model/state";
import type { GameView } from "../net/types";
import { text } from "../texts";
import type { Texts } from "../texts/en";
import { Dialog } from "./Dialog";

export const showNewGame = signal(false);

const SIDES = { least: 3, most: 59 }; // of a board that has an end
const NUMBERS = { least: 1, most: 99 };
const USUAL_SIDE = 19;

// What is written in the fields; NaN where that is no number.
interface Draft {
  readonly columns: number;
  readonly rows: number;
  readonly isInfinite: boolean;
  readonly k: number;
  readonly p: number;
  readonly q: number;
  readonly isMakerBreaker: boolean;
}

type NumberName = "columns" | "rows" | "k" | "p" | "q";

const FIELDS: [field: NumberName, name: keyof Texts][] = [
  ["columns", "boardWidth"],
  ["rows", "boardHeight"],
  ["k", "rowToWin"],
  ["p", "stonesAMove"],
  ["q", "stonesFirst"],
];

export function NewGame() {
  return (
    <Dialog isOpen={showNewGame} title={text("newRecord")}>
      <NewGameForm />
    </Dialog>
  );
}

function NewGameForm() {
  const known = desk.value?.games ?? [];
  const draft = useSignal(draftOf(open.value?.game ?? known[0]!));
  const written = draft.value;
  const problem = problemOf(written);
  const chosen = known.find((game) => textOf(draftOf(game)) === textOf(written));
  return (
    <form
      class="info new-game"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (problem) return;
        showNewGame.value = false;
        void newDocumentOnBench(textOf(written));
      }}
    >
      <div class="known-games wide" role="radiogroup" aria-label={text("knownGames")}>
        {known.map((game) => (
          <label key={game.text}>
            <input type="radio" name="known" checked={game === chosen} autofocus={game === (chosen ?? known[0])} onChange={() => (draft.value = draftOf(game))} />
            <span>{game.name}</span>
          </label>
        ))}
      </div>
      <label class="wide check">
        <input type="checkbox" checked={written.isInfinite} onChange={(event) => (draft.value = { ...written, isInfinite: event.currentTarget.checked })} />
        <span>{text("infiniteBoard")}</span>
      </label>
      {FIELDS.map(([field, name]) => {
        const isSide = field === "columns" || field === "rows";
        if (isSide && written.isInfinite) return null;
        const { least, most } = isSide ? SIDES : NUMBERS;
        return (
          <label key={field} class={isSide ? "side" : ""}>
            <span>{text(name)}</span>
            <input
              type="number"
              min={least}
              max={most}
              value={Number.isNaN(written[field]) ? "" : written[field]}
              aria-invalid={!isWithin(written[field], least, most)}
              onInput={(event) => (draft.value = { ...written, [field]: event.currentTarget.valueAsNumber })}
            />
          </label>
        );
      })}
      <label class="wide check">
        <input type="checkbox" checked={written.isMakerBreaker} onChange={(event) => (draft.value = { ...written, isMakerBreaker: event.currentTarget.checked })} />
        <span>{text("makerBreaker")}</span>
      </label>
      <p class={`wide ${problem ? "error" : "quiet"}`} role="status">{problem ?? `${textOf(written)}: ${text("rulesOf", written.k, written.p, written.q)}`}</p>
      <div class="row wide">
        <span class="space" />
        <button type="button" onClick={() => (showNewGame.value = false)}>{text("cancel")}</button>
        <button class="primary" disabled={problem !== null}>{text("create")}</button>
      </div>
    </form>
  );
}

function draftOf({ columns, rows, k, p, q, maker_breaker: isMakerBreaker }: GameView): Draft {
  return { columns: columns ?? USUAL_SIDE, rows: rows ?? USUAL_SIDE, isInfinite: columns === null, k, p, q, isMakerBreaker };
}

// As the server reads it.
function textOf({ columns, rows, isInfinite, k, p, q, isMakerBreaker }: Draft): string {
  const numbers = isInfinite ? [k, p, q] : [columns, rows, k, p, q];
  return `Connect(${numbers.join()})${isMakerBreaker ? " maker-breaker" : ""}`;
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function problemOf({ columns, rows, isInfinite, k, p, q }: Draft): string | null {
  if (!isInfinite && ![columns, rows].every((side) => isWithin(side, SIDES.least, SIDES.most))) return text("badSides", SIDES.least, SIDES.most);
  if (![k, p, q].every((count) => isWithin(count, NUMBERS.least, NUMBERS.most))) return text("badNumbers", NUMBERS.least, NUMBERS.most);
  if (!isInfinite && k > Math.max(columns, rows)) return text("rowTooLong", k);
  return null;
}
