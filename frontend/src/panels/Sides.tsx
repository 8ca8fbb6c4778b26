// Above the board: who plays, and how it ended, where the record says so.

import { open, version } from "../model/state";
import { resultInWords } from "../model/result";
import { text } from "../texts";

const SIDES = [
  { colour: "black", name: "PB", rank: "BR" },
  { colour: "white", name: "PW", rank: "WR" },
] as const;

export function Sides() {
  void version.value;
  const about = open.value?.tree.root.properties ?? {};
  const result = about["RE"]?.[0];
  const hasNames = SIDES.some(({ name }) => about[name]?.[0]);
  if (!result && !hasNames) return null;
  return (
    <p class="sides">
      {hasNames && SIDES.map(({ colour, name, rank }) => (
        <span key={colour} class="side-name">
          <i class={`dot ${colour}`} role="img" aria-label={text(colour)} />
          <b>{about[name]?.[0] || text(colour)}</b>
          {about[rank]?.[0] && <span class="quiet">{about[rank]![0]}</span>}
        </span>
      ))}
      {result && <span class="quiet">{resultInWords(result)}</span>}
    </p>
  );
}
