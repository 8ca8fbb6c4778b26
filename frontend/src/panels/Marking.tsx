// What a click on the board does: play, or put a mark there.

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

export function Marking() {
  return (
    <span class="marks" role="radiogroup" aria-label={text("marking")}>
      {MARKS.map(([one, sign, name]) => (
        <button key={one} role="radio" aria-checked={tool.value === one} aria-label={text(name)} title={text(name)} class={tool.value === one ? "on" : ""} onClick={() => (tool.value = one)}>
          {sign}
        </button>
      ))}
    </span>
  );
}
