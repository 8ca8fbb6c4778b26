// Under the board: whose turn it is, a line for moves, and what the board shows.

import { useComputed, useSignal } from "@preact/signals";
import { beginSetUp, endSetUp, playLine } from "../model/actions";
import { change, pending, position, setUp, settings, tasksHere, tool } from "../model/state";
import { toggleThreats } from "../keys";
import { text } from "../texts";
import { Icon } from "./icons";

export function Status() {
  const here = position.value;
  if (!here) return null;
  return (
    <div class="status">
      <p class="turn" aria-live="polite">
        <i class={`dot ${here.winner ?? here.turn}`} />
        {here.winner ? `${text(here.winner)} ${text("wins")}` : here.isFull ? text("draw") : `${text(here.turn)} ${text("toMove")}`}
        {!here.winner && !here.isFull && <span class="quiet">{text("stonesLeft", here.stonesLeft - pending.value.length)}</span>}
      </p>
      <MoveEntry />
      <span class="space" />
      {setUp.value ? <SetUpTools /> : <ViewTools />}
    </div>
  );
}

function MoveEntry() {
  const written = useSignal("");
  return (
    <form
      class="entry"
      onSubmit={(event) => {
        event.preventDefault();
        if (written.value.trim()) void playLine([written.value.trim()]).then((node) => node !== null && (written.value = ""));
      }}
    >
      <input aria-label={text("moveEntry")} placeholder={text("moveEntryHint")} value={written.value} onInput={(event) => (written.value = event.currentTarget.value)} />
    </form>
  );
}

function ViewTools() {
  const hasZones = useComputed(() => tasksHere.value.some((task) => task.answer?.["zones"]));
  return (
    <>
      <Choice isOn={settings.value.threats} onClick={toggleThreats}>{text("threats")}</Choice>
      {hasZones.value && <Choice isOn={settings.value.zones} onClick={() => change({ zones: !settings.value.zones })}>{text("zones")}</Choice>}
      <Choice isOn={settings.value.numbers} onClick={() => change({ numbers: !settings.value.numbers })}>{text("numbers")}</Choice>
      <button class="tool" title={text("rotate")} aria-label={text("rotate")} onClick={() => change({ turns: (settings.value.turns + 1) % 4 })}><Icon name="rotate" /></button>
      <button class="tool" title={text("mirror")} aria-label={text("mirror")} onClick={() => change({ mirrored: !settings.value.mirrored })}><Icon name="mirror" /></button>
      <button class="tool" title={text("setUp")} aria-label={text("setUp")} onClick={beginSetUp}><Icon name="setUp" /></button>
    </>
  );
}

function SetUpTools() {
  const stones = setUp.value!;
  return (
    <>
      {(["black", "white"] as const).map((colour) => (
        <Choice key={colour} isOn={tool.value === colour} onClick={() => (tool.value = colour)}>{text(colour)}</Choice>
      ))}
      <Choice isOn={false} onClick={() => (setUp.value = { ...stones, turn: stones.turn === "black" ? "white" : "black" })}>
        {text(stones.turn)} {text("toMove")}
      </Choice>
      <button class="primary" onClick={() => void endSetUp(true)}>{text("setUpDone")}</button>
      <button onClick={() => void endSetUp(false)}>{text("cancel")}</button>
    </>
  );
}

function Choice({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: preact.ComponentChildren }) {
  return (
    <button class={`choice ${isOn ? "on" : ""}`} aria-pressed={isOn} onClick={onClick}>{children}</button>
  );
}
