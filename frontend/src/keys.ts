// Everything can be done from the keyboard. The list that people see is made of this one.

import { batch, signal } from "@preact/signals";
import { beginSetUp, endSetUp, playPending, redo, removeBranch, say, showPage, step, toEnd, toSibling, togglePage, toStart, undo } from "./model/actions";
import { defend, lookForHints, solve, stopAll, toggleAnalysis } from "./model/analyses";
import { copyBranch, cutBranch, promote } from "./model/branches";
import { toFound } from "./model/search";
import { change, current, hints, page, pending, preview, settings, setUp, type Tab, tool } from "./model/state";
import { listenToFocus, wasReachedByKeyboard } from "./focus";
import { pan, scale, showAll, zoom } from "./board/camera";
import { showKeys } from "./panels/Keys";
import { showNewGame } from "./panels/NewGame";
import * as puzzles from "./puzzles/model";
import { text } from "./texts";
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
  PUZZLE_KEYS,
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
    title: "keysPanels",
    keys: [
      key("Shift+N", "newRecord", () => (showNewGame.value = true)),
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
];

const ACTIONS = actionsOf(KEY_GROUPS.filter((group) => group !== PUZZLE_KEYS));
// On other pages the record is not seen: nothing is done to it.
const PAGE_ACTIONS = new Map([...actionsOf(KEY_GROUPS.filter(({ title }) => title === "keysPanels" || title === "keysBoard")), ["Escape", escape] as const]);
const PUZZLE_ACTIONS = new Map([...PAGE_ACTIONS, ...actionsOf([PUZZLE_KEYS])]);

function actionsHere(): Map<string, () => unknown> {
  return page.value === "bench" ? ACTIONS : page.value === "puzzles" ? PUZZLE_ACTIONS : PAGE_ACTIONS;
}

function actionsOf(groups: readonly KeyGroup[]): Map<string, () => unknown> {
  return new Map(groups.flatMap(({ keys }) => keys.flatMap(({ combos, act }) => combos.map((combo) => [combo, act] as const))));
}

// The button that stands out.
function nextOrRetry(): unknown {
  return puzzles.phase.value === "wrong" || puzzles.phase.value === "doubtful" ? puzzles.retry() : puzzles.next();
}

// The panel itself, so that Tab goes on in it, and the keys of the page are still heard.
function toPanel(tab: Tab): void {
  showPage("bench");
  change({ tab });
  requestAnimationFrame(() => document.getElementById("panel")?.focus());
}

// Threats, then also the lines that may become some, then nothing.
export function toggleThreats(): void {
  const { threats, openLines } = settings.value;
  change(!threats ? { threats: true, openLines: false } : openLines ? { threats: false } : { openLines: true });
  void lookForHints().then(sayIfNothingIsThreatened);
}

function sayIfNothingIsThreatened(): void {
  const found = hints.value?.found;
  const isAsked = settings.value.threats && !settings.value.openLines;
  if (isAsked && found && found.black.segments.length + found.white.segments.length === 0) say(text("noThreats"));
}

// What was begun last ends first: another page, a search, stones, and only then what is at work.
function escape(): void {
  if (page.value !== "bench") return showPage("bench");
  const isBegun = showSearch.value || setUp.value || pending.value.length > 0;
  batch(() => {
    pending.value = [];
    preview.value = [];
    showSearch.value = false;
  });
  if (setUp.value) void endSetUp(false);
  if (!isBegun) void stopAll();
}

// A key that is held down does its work once, but for those that go somewhere step by step.
const REPEATED = /Arrow|Page|^F3$|Shift\+F3|^[-+=]$|^Ctrl\+(Shift\+)?[YZ]$/;

// As the list writes it. Signs such as ? are meant whether or not they need Shift.
function comboOf(event: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(event.key);
  const name = isLetter ? event.key.toUpperCase() : event.key;
  const hasShift = event.shiftKey && (isLetter || event.key.length > 1);
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${hasShift ? "Shift+" : ""}${name}`;
}

export function listenToKeys(): void {
  listenToFocus();
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.defaultPrevented) return;
    const target = event.target;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
    if (event.key === "Escape" && isTyping) return target.blur();
    if (isTyping || event.altKey) return;
    const combo = comboOf(event);
    const act = actionsHere().get(combo);
    if (!act || combo === "Ctrl+V") return;
    // On a button that was reached by keyboard, space and Enter press it; a selected text is copied as everywhere.
    if (isPressable(target) && (combo === " " || combo === "Enter")) {
      if (wasReachedByKeyboard()) return;
      target.blur();
    }
    if ((combo === "Ctrl+C" || combo === "Ctrl+X") && getSelection()?.toString()) return;
    event.preventDefault();
    if (!event.repeat || REPEATED.test(combo)) void act();
  });
}

function isPressable(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches("button, a, summary");
}
