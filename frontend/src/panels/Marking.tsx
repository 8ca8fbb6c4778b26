// What a click on the board does: play, or put a mark there.

import type { TargetedKeyboardEvent } from "preact";
import { wasReachedByKeyboard } from "../focus";
import { tool, type Tool } from "../model/state";
import { text } from "../texts";
import type { Texts } from "../texts/en";

const MARKS: [Tool, sign: string, name: keyof Texts][] = [
  ["play", "●", "markPlay"],
  ["triangle", "△", "markTriangle"],
  ["square", "□", "markSquare"],
  ["circle", "○", "markCircle"],
  ["cross", "×", "markCross"],
  ["label", "A", "markLabel"],
];

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function Marking() {
  const chosen = Math.max(0, MARKS.findIndex(([one]) => one === tool.value));
  // After a click the arrow keys are those of the record.
  const step = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const by = STEPS[event.key];
    if (!by || !wasReachedByKeyboard()) return;
    event.preventDefault();
    const next = (chosen + by + MARKS.length) % MARKS.length;
    tool.value = MARKS[next]![0];
    event.currentTarget.querySelectorAll("button")[next]!.focus();
  };
  return (
    <span class="marks" role="radiogroup" aria-label={text("marking")} onKeyDown={step}>
      {MARKS.map(([one, sign, name], index) => (
        <button key={one} role="radio" tabIndex={index === chosen ? 0 : -1} aria-checked={tool.value === one} aria-label={text(name)} title={text(name)} class={tool.value === one ? "on" : ""} onClick={() => (tool.value = one)}>
          {sign}
        </button>
      ))}
    </span>
  );
}
