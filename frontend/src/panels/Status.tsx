// Under the board: whose turn it is, a line for moves, and what the board shows.

import { useComputed } from "@preact/signals";
import { Zoom } from "../board/Zoom";
import { beginSetUp, endSetUp, playLine } from "../model/actions";
import { other } from "../model/record";
import { change, pending, position, setUp, settings, tasksHere, tool } from "../model/state";
import { toggleThreats } from "../keys";
import { text } from "../texts";
import { Icon } from "./icons";
import { Item, Menu } from "./Menu";
import { useMoveField } from "./moveField";

export function Status() {
  const here = position.value;
  if (!here) return null;
  return (
    <div class="status">
      {setUp.value ? (
        <SetUpTools />
      ) : (
        <>
          <p class="turn" aria-live="polite">
            <i class={`dot ${here.winner ?? here.turn}`} />
            {here.winner ? `${text(here.winner)} ${text("wins")}` : here.isFull ? text("draw") : `${text(here.turn)} ${text("toMove")}`}
            {!here.winner && !here.isFull && <span class="quiet">{text("stonesLeft", here.stonesLeft - pending.value.length)}</span>}
          </p>
          <MoveEntry />
          <span class="space" />
          <ViewTools />
        </>
      )}
    </div>
  );
}

function MoveEntry() {
  const { written, isBusy, submit } = useMoveField(async (move) => (await playLine([move])) !== null);
  return (
    <form class="entry" aria-busy={isBusy} onSubmit={submit}>
      <input aria-label={text("moveEntry")} placeholder={text("moveEntryHint")} value={written.value} onInput={(event) => (written.value = event.currentTarget.value)} />
    </form>
  );
}

interface View {
  readonly name: "threats" | "zones" | "numbers" | "coordinates";
  readonly keys: string;
  readonly toggle: () => void;
}

const VIEWS: readonly View[] = [
  { name: "threats", keys: "T", toggle: toggleThreats },
  { name: "zones", keys: "Z", toggle: () => change({ zones: !settings.value.zones }) },
  { name: "numbers", keys: "N", toggle: () => change({ numbers: !settings.value.numbers }) },
  { name: "coordinates", keys: "K", toggle: () => change({ coordinates: !settings.value.coordinates }) },
];

function nameOf(view: View["name"]): string {
  return text(view === "threats" && settings.value.threats && settings.value.openLines ? "threatsAndLines" : view);
}

const TURNS = [
  { name: "rotate", keys: "R", act: () => change({ turns: (settings.value.turns + 1) % 4 }) },
  { name: "mirror", keys: "M", act: () => change({ mirrored: !settings.value.mirrored }) },
  { name: "setUp", keys: "E", act: beginSetUp },
] as const;

// Side by side, or behind one button where the board is too narrow for all of them.
function ViewTools() {
  const hasZones = useComputed(() => tasksHere.value.some((task) => task.answer?.["zones"]));
  const views = VIEWS.filter(({ name }) => name !== "zones" || hasZones.value);
  const isCrowded = hasZones.value || nameOf("threats") !== text("threats");
  return (
    <>
      <span class={`view-tools ${isCrowded ? "crowded" : ""}`}>
        {views.filter(({ name }) => name !== "coordinates").map(({ name, toggle }) => <Choice key={name} isOn={settings.value[name]} title={name === "threats" ? text("threatsHint") : undefined} onClick={toggle}>{nameOf(name)}</Choice>)}
        {TURNS.map(({ name, act }) => <button key={name} class="tool" title={text(name)} aria-label={text(name)} onClick={act}><Icon name={name} /></button>)}
      </span>
      <span class="view-menu">
        <Menu icon="more" name="viewMenu">
          {views.map(({ name, keys, toggle }) => <Item key={name} icon={settings.value[name] ? "check" : "board"} keys={keys} onClick={toggle}>{nameOf(name)}{settings.value[name] && <span class="unseen"> {text("isOn")}</span>}</Item>)}
          <hr />
          {TURNS.map(({ name, keys, act }) => <Item key={name} icon={name} keys={keys} onClick={act}>{text(name)}</Item>)}
        </Menu>
      </span>
      <Zoom />
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
      <Choice isOn={false} onClick={() => (setUp.value = { ...stones, turn: other(stones.turn) })}>
        {text(stones.turn)} {text("toMove")}
      </Choice>
      <button class="primary" onClick={() => void endSetUp(true)}>{text("setUpDone")}</button>
      <button onClick={() => void endSetUp(false)}>{text("cancel")}</button>
    </>
  );
}

function Choice({ isOn, title, onClick, children }: { isOn: boolean; title?: string | undefined; onClick: () => void; children: preact.ComponentChildren }) {
  return (
    <button class={`choice ${isOn ? "on" : ""}`} aria-pressed={isOn} title={title} onClick={onClick}>{children}</button>
  );
}
