// Everything can be done from the keyboard. The list that people see is made of this one.

import { batch, signal } from "@preact/signals";
import { beginSetUp, endSetUp, playPending, redo, removeBranch, showPage, step, toEnd, toSibling, togglePage, toStart, undo } from "./model/actions";
import { defend, lookForHints, solve, stopAll, toggleAnalysis } from "./model/analyses";
import { copyBranch, cutBranch, promote } from "./model/branches";
import { toFound } from "./model/search";
import { change, current, page, pending, preview, settings, setUp, type Tab, tool } from "./model/state";
import { pan, scale, showAll, zoom } from "./board/camera";
import { showKeys } from "./panels/Keys";
import * as puzzles from "./puzzles/model";
import type { Texts } from "./texts/en";
import { toggle, toggleAll } from "./tree/collapsed";

export const showSearch = signal(false);

interface Key {
  readonly combos: readonly string[];
  readonly name: keyof Texts;
  readonly act: () => unknown;
}

interface KeyGroup {
  readonly title: keyof Texts;
  readonly keys: readonly Key[];
}

function key(combos: string, name: keyof Texts, act: () => unknown): Key {
  return { combos: combos.split(" or ").map((combo) => combo.replace("Space", " ")), name, act };
}

// On the page of puzzles these stand in for what the same keys do to the record.
const PUZZLE_KEYS: KeyGroup = {
  title: "keysPuzzles",
  keys: [
    key("ArrowLeft", "back", () => puzzles.step(-1)),
    key("ArrowRight", "forward", () => puzzles.step(1)),
    key("H", "hint", puzzles.hint),
    key("S", "solution", puzzles.showSolution),
    key("Backspace", "tryAgain", puzzles.retry),
    key("Enter or Space", "nextPuzzle", nextOrRetry),
  ],
};

export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: "keysRecord",
    keys: [
      key("ArrowLeft", "back", () => step(-1)),
      key("ArrowRight", "forward", () => step(1)),
      key("PageUp", "backTen", () => step(-10)),
      key("PageDown", "forwardTen", () => step(10)),
      key("Home", "first", toStart),
      key("End", "last", toEnd),
      key("ArrowUp", "variationUp", () => toSibling(-1)),
      key("ArrowDown", "variationDown", () => toSibling(1)),
      key("C", "foldHere", () => current.value && toggle(current.value)),
      key("Shift+C", "foldAll", toggleAll),
      key("Ctrl+F or /", "search", () => (showSearch.value = true)),
      key("F3", "searchNext", () => toFound(1)),
      key("Shift+F3", "searchPrevious", () => toFound(-1)),
    ],
  },
  {
    title: "keysEdit",
    keys: [
      key("Enter", "playBegun", playPending),
      key("Ctrl+Z", "undo", undo),
      key("Ctrl+Y or Ctrl+Shift+Z", "redo", redo),
      key("Ctrl+X", "cut", cutBranch),
      key("Ctrl+C", "copy", copyBranch),
      key("Ctrl+V", "pasteBranch", () => undefined), // what is in the clipboard comes with the browser's own event
      key("Ctrl+ArrowUp", "promoteOne", () => promote(false)),
      key("Ctrl+Shift+ArrowUp", "promote", () => promote(true)),
      key("Delete", "remove", removeBranch),
      key("E", "setUp", beginSetUp),
      key("1", "markPlay", () => (tool.value = "play")),
      key("2", "markTriangle", () => (tool.value = "triangle")),
      key("3", "markSquare", () => (tool.value = "square")),
      key("4", "markCircle", () => (tool.value = "circle")),
      key("5", "markCross", () => (tool.value = "cross")),
      key("6", "markLabel", () => (tool.value = "label")),
    ],
  },
  {
    title: "keysAnalysis",
    keys: [
      key("Space", "analyseOrStop", toggleAnalysis),
      key("S", "solve", solve),
      key("D", "defend", defend),
      key("Escape", "stopEverything", escape),
      key("T", "threats", toggleThreats),
      key("Z", "zones", () => change({ zones: !settings.value.zones })),
    ],
  },
  {
    title: "keysPanels",
    keys: [
      key("A", "tab-analysis", () => toPanel("analysis")),
      key("P", "tab-play", () => toPanel("play")),
      key("V", "tab-prove", () => toPanel("prove")),
      key("G", "tab-game", () => toPanel("game")),
      key("Q", "puzzlesPage", () => togglePage("puzzles")),
      key("W", "workersPage", () => togglePage("workers")),
      key("O", "openingsPage", () => togglePage("openings")),
      key("F", "fairnessPage", () => togglePage("fairness")),
      key("U", "sudokuPage", () => togglePage("sudoku")),
    ],
  },
  {
    title: "keysBoard",
    keys: [
      key("N", "numbers", () => change({ numbers: !settings.value.numbers })),
      key("K", "coordinates", () => change({ coordinates: !settings.value.coordinates })),
      key("R", "rotate", () => change({ turns: (settings.value.turns + 1) % 4 })),
      key("M", "mirror", () => change({ mirrored: !settings.value.mirrored })),
      key("+ or =", "zoomIn", () => zoom(0.75)),
      key("-", "zoomOut", () => zoom(1 / 0.75)),
      key("0", "showAll", showAll),
      key("Shift+ArrowLeft", "panLeft", () => pan(-2 * scale.value, 0)),
      key("Shift+ArrowRight", "panRight", () => pan(2 * scale.value, 0)),
      key("Shift+ArrowUp", "panUp", () => pan(0, -2 * scale.value)),
      key("Shift+ArrowDown", "panDown", () => pan(0, 2 * scale.value)),
      key("?", "keysShown", () => (showKeys.value = true)),
    ],
  },
  PUZZLE_KEYS,
];

const ACTIONS = actionsOf(KEY_GROUPS.filter((group) => group !== PUZZLE_KEYS));
const PUZZLE_ACTIONS = new Map([
  ...actionsOf(KEY_GROUPS.filter(({ title }) => title === "keysPanels" || title === "keysBoard" || title === "keysPuzzles")),
  ["Escape", escape] as const,
]);

function actionsOf(groups: readonly KeyGroup[]): Map<string, () => unknown> {
  return new Map(groups.flatMap(({ keys }) => keys.flatMap(({ combos, act }) => combos.map((combo) => [combo, act] as const))));
}

// The button that stands out.
function nextOrRetry(): unknown {
  return puzzles.phase.value === "wrong" || puzzles.phase.value === "doubtful" ? puzzles.retry() : puzzles.next();
}

// The panel, with what can be done there next on the keyboard.
function toPanel(tab: Tab): void {
  showPage("bench");
  change({ tab });
  requestAnimationFrame(() => document.querySelector<HTMLElement>("#panel :is(select, input, button):not(:disabled)")?.focus());
}

export function toggleThreats(): void {
  change({ threats: !settings.value.threats });
  void lookForHints();
}

function escape(): void {
  batch(() => {
    pending.value = [];
    preview.value = [];
    showSearch.value = false;
  });
  if (page.value !== "bench") {
    showPage("bench");
    return;
  }
  if (setUp.value) void endSetUp(false);
  void stopAll();
}

// As the list writes it. Signs such as ? are meant whether or not they need Shift.
function comboOf(event: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(event.key);
  const name = isLetter ? event.key.toUpperCase() : event.key;
  const hasShift = event.shiftKey && (isLetter || event.key.length > 1);
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${hasShift ? "Shift+" : ""}${name}`;
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.defaultPrevented) return;
    const target = event.target;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
    if (event.key === "Escape" && isTyping) target.blur();
    else if (isTyping || event.altKey) return;
    const combo = comboOf(event);
    const act = (page.value === "puzzles" ? PUZZLE_ACTIONS : ACTIONS).get(combo);
    // On a button that was reached by keyboard, space and Enter press it; a selected text is copied as everywhere.
    if (!act || combo === "Ctrl+V" || (isPressable(target) && (combo === " " || combo === "Enter"))) return;
    if ((combo === "Ctrl+C" || combo === "Ctrl+X") && getSelection()?.toString()) return;
    event.preventDefault();
    void act();
  });
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("button:focus-visible, a:focus-visible");
}
