// What one wants to train with: levels, a kind, a theme, Tengen's puzzles or those of one's own games.

import { settings } from "../model/state";
import { Icon } from "../panels/icons";
import { text } from "../texts";
import { choose, sets, wish, wishInAddress } from "./model";
import { themeText } from "./themes";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

export function SetsCard() {
  const known = sets.value;
  if (!known) return null;
  const { least, most, kind, theme, own } = wish.value;
  const atLevel = (level: number) => known.kinds.reduce((sum, name) => sum + (kind === "" || kind === name ? known.levels[name]![level - 1]! : 0), 0);
  const largest = Math.max(1, ...LEVELS.map(atLevel));
  const chosenTheme = theme ? { [theme]: 0 } : {}; // also where none has it
  const themes = Object.entries({ ...chosenTheme, ...known.themes }).sort(([a], [b]) => themeText(a).localeCompare(themeText(b), settings.value.language, { numeric: true }));
  return (
    <section class="card sets-card" aria-label={text("puzzleSets")}>
      <div class="source" role="group" aria-label={text("puzzleSource")}>
        <button aria-pressed={!own} onClick={() => void choose({ own: false })}>{text("tengensPuzzles")}</button>
        <button aria-pressed={own} onClick={() => void choose({ own: true })} disabled={known.own === 0 && !own} title={known.own === 0 ? text("ownHint") : ""}>{text("ownPuzzles", known.own)}</button>
      </div>
      <div class="levels" role="group" aria-label={text("levels")}>
        {LEVELS.map((level) => (
          <button key={level} aria-pressed={least <= level && level <= most} aria-label={text("levelWith", level, atLevel(level))} title={text("levelWith", level, atLevel(level))} disabled={atLevel(level) === 0} onClick={(event) => void chooseLevel(level, event.shiftKey)}>
            <i style={{ "--share": atLevel(level) / largest }} />
            <span>{level}</span>
          </button>
        ))}
      </div>
      <div class="row wrap">
        <label><span class="unseen">{text("kindOfPuzzle")}</span>
          <select value={kind} onChange={(event) => void choose({ kind: event.currentTarget.value, theme: "" })}>
            <option value="">{text("allKinds")}</option>
            {known.kinds.map((name) => <option key={name} value={name}>{themeText(name)}</option>)}
          </select>
        </label>
        <label><span class="unseen">{text("theme-name")}</span>
          <select value={theme} onChange={(event) => void choose({ theme: event.currentTarget.value })}>
            <option value="">{text("allThemes")}</option>
            {themes.map(([name, count]) => <option key={name} value={name}>{themeText(name)} ({count})</option>)}
          </select>
        </label>
        {(least > 1 || most < 10 || kind || theme) && <button class="small" onClick={() => void choose({ least: 1, most: 10, kind: "", theme: "" })}>{text("allPuzzles")}</button>}
        <span class="space" />
        <a class="print" href={`/api/puzzles/sheet?${wishInAddress()}`} download="puzzles.pdf"><Icon name="download" />{text("printSheet")}</a>
      </div>
    </section>
  );
}

// A level alone; with Shift, all from there to those that are chosen. The one that is chosen alone frees all.
function chooseLevel(level: number, isRange: boolean): Promise<void> {
  const { least, most } = wish.value;
  if (isRange) return choose({ least: Math.min(level, least), most: Math.max(level, most === 10 && least === 1 ? level : most) });
  return least === level && most === level ? choose({ least: 1, most: 10 }) : choose({ least: level, most: level });
}
