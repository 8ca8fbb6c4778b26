// Mouse, touch and wheel on the board: a drag pans, two fingers or Ctrl with the wheel zoom, the wheel alone steps.

import { step } from "../model/actions";
import { isPreviewing, stepPreview } from "../model/preview";
import { laid } from "../model/state";
import { chosenBox, look, possibleFactor, seenBox, view, zoom, type Box } from "./camera";

const FREE_PIXELS = 7; // a hand that trembles does not drag
const NOTCH = 50;

interface Grip {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly spread: number; // between two fingers
}

const pointers = new Map<number, { x: number; y: number }>();
let grip: Grip | null = null;
let isDrag = false;
let turned = 0; // what a fine wheel has added up

export function placeAt(event: MouseEvent): [number, number] {
  const drawn = (event.currentTarget as Element).getBoundingClientRect();
  const { left, top, width, height } = seenBox.value;
  return [left + ((event.clientX - drawn.left) / drawn.width) * width, top + ((event.clientY - drawn.top) / drawn.height) * height];
}

// Whether the click that follows belongs to a drag.
export function wasDrag(): boolean {
  return isDrag;
}

export function onPointerDown(event: PointerEvent): void {
  if (pointers.size === 0) isDrag = false;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  grip = takeGrip();
}

export function onPointerMove(event: PointerEvent): void {
  if (!pointers.has(event.pointerId)) return;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  const now = takeGrip();
  if (!grip || !now || !(pointers.size > 1 || chosenBox.value || view.value?.isEndless)) return;
  const hasMoved = Math.hypot(now.x - grip.x, now.y - grip.y) > FREE_PIXELS || Math.abs(now.spread - grip.spread) > FREE_PIXELS;
  if (!isDrag && !hasMoved) return;
  isDrag = true;
  const board = event.currentTarget as Element;
  board.setPointerCapture(event.pointerId);
  const drawn = board.getBoundingClientRect();
  const unit = grip.box.width / drawn.width;
  const factor = pointers.size > 1 && now.spread > 0 ? possibleFactor(grip.box.width, grip.spread / now.spread) : 1;
  const across = grip.box.left + (grip.x - drawn.left) * unit;
  const down = grip.box.top + (grip.y - drawn.top) * unit;
  look({
    left: across - (now.x - drawn.left) * unit * factor,
    top: down - (now.y - drawn.top) * unit * factor,
    width: grip.box.width * factor,
    height: grip.box.height * factor,
  });
}

export function onPointerEnd(event: PointerEvent): void {
  pointers.delete(event.pointerId);
  grip = takeGrip();
}

function takeGrip(): Grip | null {
  const [one, two] = [...pointers.values()];
  if (!one) return null;
  if (!two) return { box: seenBox.value, ...one, spread: 0 };
  return { box: seenBox.value, x: (one.x + two.x) / 2, y: (one.y + two.y) / 2, spread: Math.hypot(one.x - two.x, one.y - two.y) };
}

export function onWheel(event: WheelEvent): void {
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) zoom(Math.exp(event.deltaY * 0.002), placeAt(event));
  else stepByWheel(event);
}

// One move for each notch of a mouse's wheel; what touchpads tell in small portions is added up.
export function stepByWheel(event: WheelEvent): void {
  event.preventDefault();
  turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
  if (Math.abs(turned) < NOTCH) return;
  const by = Math.sign(turned);
  turned = 0;
  if (laid.value) laid.value.step(by);
  else if (isPreviewing()) stepPreview(by);
  else step(by);
}
