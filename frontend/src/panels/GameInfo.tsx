// What is said of the game as a whole.

import { signal } from "@preact/signals";
import { edit } from "../model/actions";
import { open, version } from "../model/state";
import type { Texts } from "../texts/en";
import { text } from "../texts";
import { Dialog } from "./Dialog";

export const showInfo = signal(false);

const FIELDS: [property: string, name: keyof Texts][] = [
  ["GN", "infoName"],
  ["PB", "infoBlack"],
  ["PW", "infoWhite"],
  ["BR", "infoBlackRank"],
  ["WR", "infoWhiteRank"],
  ["RE", "infoResult"],
  ["DT", "infoDate"],
  ["EV", "infoEvent"],
  ["RO", "infoRound"],
  ["PC", "infoPlace"],
  ["TM", "infoTime"],
  ["AN", "infoAnnotator"],
  ["SO", "infoSource"],
];

export function GameInfo() {
  return (
    <Dialog isOpen={showInfo} title={text("gameInfo")}>
      <InfoForm />
    </Dialog>
  );
}

function InfoForm() {
  void version.value;
  const known = open.value?.tree.root.properties ?? {};
  return (
    <form
      class="info"
      onSubmit={(event) => {
        event.preventDefault();
        const written = new FormData(event.currentTarget);
        const values = Object.fromEntries([...written].map(([name, value]) => [name, String(value).trim()]));
        void edit("info", () => ({ values })).then((done) => done !== null && (showInfo.value = false));
      }}
    >
      {FIELDS.map(([property, name]) => (
        <label key={property} class={property === "GN" ? "wide" : ""}>
          <span>{text(name)}</span>
          <input name={property} defaultValue={known[property]?.[0] ?? ""} maxLength={500} />
        </label>
      ))}
      <label class="wide">
        <span>{text("infoComment")}</span>
        <textarea name="GC" defaultValue={known["GC"]?.[0] ?? ""} rows={3} />
      </label>
      <div class="row wide">
        <span class="quiet">{open.value?.game.name}</span>
        <span class="space" />
        <button type="button" onClick={() => (showInfo.value = false)}>{text("cancel")}</button>
        <button class="primary">{text("save")}</button>
      </div>
    </form>
  );
}
