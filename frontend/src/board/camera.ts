// Which part of the board is seen. Nothing is drawn anew when it moves but the grid: stones stand where they stood.

import { computed, signal } from "@preact/signals";
import type { Position } from "../model/position";
import { boardGame, position, settings } from "../model/state";
import { View } from "./view";

// In the units of the view.
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const USUAL = 20.3; // units across a 19x19 board with its margins, for which sizes of letters are chosen
const MARGIN = 1.15;
const NARROW_MARGIN = 0.7;
const ROOM = 4; // around the stones of an infinite board
const LEAST = 19; // squares of an infinite board that are seen at least
const NEAREST = 6;
const FARTHEST = 160;
const END_OF_THE_WORLD = 20_000;

export const chosenBox = signal<Box | null>(null); // null: all that there is

export const view = computed(() => (boardGame.value ? new View(boardGame.value, settings.value.turns, settings.value.mirrored) : null));

const wholeBox = computed<Box>(() =>
  view.value && position.value ? fit(view.value, position.value) : { left: 0, top: 0, width: 1, height: 1 },
);

export const seenBox = computed<Box>(() => chosenBox.value ?? wholeBox.value);

// How much larger things must be drawn to look as they do on 19x19.
export const scale = computed(() => Math.max(seenBox.value.width, seenBox.value.height) / USUAL);

function fit(view: View, position: Position): Box {
  if (!view.isEndless) {
    const margin = (settings.value.coordinates ? MARGIN : NARROW_MARGIN) * Math.max(0.6, (Math.max(view.width, view.height) + 1.3) / USUAL);
    return { left: -margin, top: -margin, width: view.width - 1 + 2 * margin, height: view.height - 1 + 2 * margin };
  }
  const places = [...position.stones.values()].map((stone) => view.place(stone));
  const span = (values: number[]): [number, number] => (values.length > 0 ? [Math.min(...values), Math.max(...values)] : [9, 9]);
  const [left, right] = span(places.map(([across]) => across));
  const [top, bottom] = span(places.map(([, down]) => down));
  const size = Math.max(LEAST, right - left + 1 + 2 * ROOM, bottom - top + 1 + 2 * ROOM);
  return { left: (left + right - size) / 2, top: (top + bottom - size) / 2, width: size, height: size };
}

export function showAll(): void {
  chosenBox.value = null;
}

// Zooms so that a place stays where it is; a factor below 1 comes nearer.
export function zoom(factor: number, [across, down]: [number, number] = middle()): void {
  const { left, top, width, height } = seenBox.value;
  const by = possibleFactor(width, factor);
  look({ left: across - (across - left) * by, top: down - (down - top) * by, width: width * by, height: height * by });
}

// Not nearer than a few squares, and not farther than there is something to see.
export function possibleFactor(width: number, factor: number): number {
  const most = view.value?.isEndless ? FARTHEST : wholeBox.value.width;
  return Math.min(most, Math.max(NEAREST, width * factor)) / width;
}

export function pan(right: number, down: number): void {
  const box = seenBox.value;
  look({ ...box, left: box.left + right, top: box.top + down });
}

export function look(box: Box): void {
  const whole = wholeBox.value;
  if (view.value?.isEndless) {
    const inside = (value: number) => Math.min(END_OF_THE_WORLD, Math.max(-END_OF_THE_WORLD, value));
    chosenBox.value = { ...box, left: inside(box.left), top: inside(box.top) };
  } else if (box.width >= whole.width * 0.999) {
    chosenBox.value = null;
  } else {
    const inside = (value: number, least: number, room: number) => Math.min(least + room, Math.max(least, value));
    chosenBox.value = {
      ...box,
      left: inside(box.left, whole.left, whole.width - box.width),
      top: inside(box.top, whole.top, whole.height - box.height),
    };
  }
}

function middle(): [number, number] {
  const { left, top, width, height } = seenBox.value;
  return [left + width / 2, top + height / 2];
}
