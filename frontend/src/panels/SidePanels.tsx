// What stands beside the board: one of several panels, what is at work, and the record, which is always there. On a
// narrow screen the record is one of the panels too.

import { wasReachedByKeyboard } from "../focus";
import { change, isNarrow, settings, shownTab, TABS, type Tab } from "../model/state";
import { text } from "../texts";
import { Analysis } from "./Analysis";
import { busyTabs } from "./busy";
import { Graph } from "./Graph";
import { Play } from "./Play";
import { Proof } from "./Proof";
import { Queue } from "./Queue";
import { RecordPanel } from "./Record";
import { TourCard } from "./TourCard";
import "./side.css";

const PANELS: Record<Tab, () => preact.JSX.Element | null> = { record: RecordPanel, analysis: Analysis, play: Play, prove: Proof, game: Graph };

export function showTab(tab: Tab): void {
  if (settings.value.tab !== tab) change({ tab });
}

export function SidePanels() {
  const tab = shownTab.value;
  const Panel = PANELS[tab];
  return (
    <aside>
      <TourCard />
      <div class={`card work shows-${tab}`}>
        <TabList />
        <section class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={-1}>
          <Panel />
        </section>
        <Queue />
      </div>
      {!isNarrow.value && (
        <section class="card record-card" aria-label={text("record")}>
          <RecordPanel />
        </section>
      )}
    </aside>
  );
}

function TabList() {
  const tabs = TABS.filter((tab) => tab !== "record" || isNarrow.value);
  // After a click the arrows are those of the record.
  const step = (event: KeyboardEvent) => {
    if (!wasReachedByKeyboard()) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : by && (tabs.indexOf(shownTab.value) + by + tabs.length) % tabs.length;
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    showTab(tabs[next]!);
    document.getElementById(`tab-${tabs[next]}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={text("panels")} onKeyDown={step}>
      {tabs.map((tab) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          role="tab"
          aria-selected={tab === shownTab.value}
          aria-controls="panel"
          tabIndex={tab === shownTab.value ? 0 : -1}
          onClick={() => showTab(tab)}
        >
          {text(`tab-${tab}`)}
          {busyTabs.value.has(tab) && <i class="busy" role="img" aria-label={text("queue")} />}
        </button>
      ))}
    </div>
  );
}
