// What the page knows. Everything that is drawn follows from these signals; what people do is in actions.ts.

import { computed, effect, signal } from "@preact/signals";
import type { Connection } from "../net/events";
import type { CollectionEntry, DeskView, DocumentEntry, DocumentView, GameView, Hints, PlayedGameView, TaskView } from "../net/types";
import { windowIs } from "./media";
import { positionAt, type Position } from "./position";
import type { RecordTree, TreeNode } from "./record";
import type { Square } from "./squares";

export interface OpenDocument extends Omit<DocumentView, "nodes"> {
  readonly tree: RecordTree;
}

export type Tool = "play" | "triangle" | "square" | "circle" | "cross" | "label" | "black" | "white";
export const TABS = ["record", "analysis", "play", "prove", "game"] as const;
export type Tab = (typeof TABS)[number];
export const PAGES = ["puzzles", "openings", "workers", "fairness", "sudoku"] as const; // besides the bench
export type Page = "bench" | (typeof PAGES)[number];
type Theme = "system" | "light" | "dark";

// What another page lays on the board in place of the record's position.
interface Laid {
  readonly id: string;
  readonly game: GameView;
  readonly position: Position;
  readonly showsNumbers: boolean;
  readonly hinted: readonly Square[];
  readonly touch: (square: Square) => unknown;
  readonly step: (by: number) => unknown;
}

interface Settings {
  readonly coordinates: boolean;
  readonly numbers: boolean;
  readonly threats: boolean;
  readonly openLines: boolean; // with them, lines that may become threats
  readonly zones: boolean;
  readonly theme: Theme;
  readonly language: string;
  readonly lines: number; // candidates that the engine tells
  readonly turns: number; // quarter turns of the view
  readonly mirrored: boolean;
  readonly tab: Tab; // the panel beside the board
  readonly workers: number | null; // how many a proof uses at most
}

const DEFAULTS: Settings = {
  coordinates: true,
  numbers: false,
  threats: false,
  openLines: false,
  zones: false,
  theme: "system",
  language: navigator.language.startsWith("zh") ? "zh-Hant" : "en",
  lines: 5,
  turns: 0,
  mirrored: false,
  tab: "analysis",
  workers: null,
};

export const desk = signal<DeskView | null>(null);
export const documents = signal<DocumentEntry[]>([]);
export const collections = signal<CollectionEntry[]>([]);
export const open = signal<OpenDocument | null>(null);
export const version = signal(0); // grows whenever the tree of the open document changes
export const currentId = signal(0);
export const pending = signal<Square[]>([]); // stones of a move that is not complete
export const preview = signal<string[]>([]); // a line of moves that is shown, not played
export const tool = signal<Tool>("play");
export const setUp = signal<{ black: Square[]; white: Square[]; turn: "black" | "white" } | null>(null);
export const tasks = signal<ReadonlyMap<number, TaskView>>(new Map());
export const games = signal<ReadonlyMap<string, PlayedGameView>>(new Map()); // by document
export const hints = signal<{ node: number; version: number; found: Hints } | null>(null);
export const connection = signal<Connection>("connecting");
export const saving = signal<"saved" | "saving" | "failed">("saved");
export const unsent = signal(0); // edits that wait for the server
export const page = signal<Page>("bench");

// Stones that were begun, and lines that are pointed at, stay behind with the page.
effect(() => {
  void page.value;
  pending.value = [];
  preview.value = [];
});

export const notice = signal<{ text: string; isError: boolean } | null>(null);
export const settings = signal<Settings>({ ...DEFAULTS, ...stored() });

export const current = computed<TreeNode | null>(() => {
  void version.value;
  const tree = open.value?.tree;
  return tree ? (tree.nodes.get(currentId.value) ?? tree.root) : null;
});

export const laid = signal<Laid | null>(null);
export const boardGame = computed<GameView | null>(() => laid.value?.game ?? open.value?.game ?? null);
export const position = computed<Position | null>(() => laid.value?.position ?? (open.value && current.value ? positionAt(open.value.game, current.value) : null));

// Analyses of the position that is shown, the newest first.
export const tasksHere = computed(() => {
  const id = open.value?.id;
  const node = current.value?.id;
  return [...tasks.value.values()].filter((task) => task.document === id && task.node === node).reverse();
});

export const gameHere = computed(() => games.value.get(open.value?.id ?? "") ?? null);

// A game goes on in the position that is shown.
export const isPlaying = computed(() => gameHere.value !== null && !gameHere.value.result && gameHere.value.node === currentId.value);

export const busyTasks = computed(() => [...tasks.value.values()].filter((task) => task.state === "running" || task.state === "waiting"));

export const isAnalysing = computed(() => tasksHere.value.some((task) => task.kind === "analyse" && busyTasks.value.includes(task)));

export const isTouch = matchMedia("(hover: none)").matches; // there may be no keyboard to speak of

export const isNarrow = windowIs("(max-width: 900px)");

export const shownTab = computed<Tab>(() => (settings.value.tab === "record" && !isNarrow.value ? "analysis" : settings.value.tab));

export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
  localStorage.setItem("tengen-settings", JSON.stringify(settings.value));
}

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem("tengen-settings") ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}
