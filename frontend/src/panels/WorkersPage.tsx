// Who works for the user: this machine and his grid, what each does and since when, what waits, and how much is done.

import { useSignal } from "@preact/signals";
import { request } from "../net/request";
import type { PlaceView, SystemView, WorkersView } from "../net/types";
import { numberText, text } from "../texts";
import { Figure } from "./Figure";
import { useLooking } from "./looking";
import { WorkerLimit } from "./Proof";
import "./pages.css";
import "./workers.css";

const LOOK_EVERY = 1000; // ms

export function WorkersPage() {
  const seen = useSignal<WorkersView | null>(null);
  // While the server is away the page says so, and shows what was seen last.
  useLooking(async () => (seen.value = await request<WorkersView>("GET", "/api/workers").catch(() => seen.value)), LOOK_EVERY);
  if (!seen.value) return <main class="page workers-page" />;
  const { local, grid } = seen.value;
  return (
    <main class="page workers-page">
      <header>
        <h1>{text("workersPage")}</h1>
        <span class="space" />
        <WorkerLimit />
      </header>
      <p class="quiet">{text("limitHint")}</p>
      <System system={local} title={text("thisMachine", local.name)} />
      {grid ? <System system={grid} title={text("gridOf", grid.name)} /> : <p class="card quiet">{text("noGrid")}</p>}
    </main>
  );
}

function System({ system, title }: { system: SystemView; title: string }) {
  const busy = system.places.filter(({ kind }) => kind !== null);
  const mine = busy.filter((place) => place.is_mine);
  return (
    <section class="card system" aria-label={title}>
      <h2>{title}</h2>
      {system.problem && <p class="error" role="alert">{system.problem}</p>}
      {!system.is_seen && !system.problem && <p class="quiet">{text("lookingForGrid")}</p>}
      <dl class="figures">
        <Figure name={text("iUse")} value={`${mine.length} / ${system.places.length}`} />
        <Figure name={text("busyPlaces")} value={String(busy.length)} />
        <Figure name={text("queued")} value={numberText(system.queued)} />
        <Figure name={text("perMinute")} value={system.per_minute === null ? "–" : numberText(Math.round(system.per_minute))} />
        <Figure name={text("jobsDone")} value={numberText(system.done)} />
      </dl>
      {system.places.length > 0 && <Places places={system.places} />}
      {system.pauses.map(({ worker, reason }) => <p key={worker} class="quiet">{text("pauses", worker, reason)}</p>)}
      {system.clients.length > 0 && <Clients system={system} />}
    </section>
  );
}

function Places({ places }: { places: PlaceView[] }) {
  const hasClients = places.some(({ client }) => client !== null);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={text("workers")}>
      <table>
        <thead>
          <tr>
            <th>{text("worker")}</th>
            <th>{text("whatItDoes")}</th>
            {hasClients && <th>{text("forWhom")}</th>}
            <th class="count">{text("sinceWhen")}</th>
          </tr>
        </thead>
        <tbody>
          {places.map(({ worker, kind, what, client, seconds, is_mine: isMine }, index) => (
            <tr key={`${index} ${worker}`} class={kind === null ? "idle" : isMine ? "mine" : "taken"}>
              <td><i class="lamp" />{worker}</td>
              <td>{kind === null ? text("idle") : <><b>{nameOfKind(kind)}</b> <span class="quiet">{what}</span></>}</td>
              {hasClients && <td>{client ?? ""}</td>}
              <td class="count">{seconds === null ? "" : `${seconds.toFixed(0)} ${text("seconds")}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const KINDS = ["analyse", "solve", "defend", "prove", "game", "move", "missed", "sudoku"] as const;

function nameOfKind(kind: string): string {
  const known = KINDS.find((one) => one === kind);
  return known ? text(`kind-${known}`) : kind;
}

function Clients({ system }: { system: SystemView }) {
  return (
    <table>
      <thead>
        <tr>
          <th>{text("client")}</th>
          <th class="count">{text("openJobs")}</th>
          <th class="count">{text("weight")}</th>
          <th>{text("wants")}</th>
        </tr>
      </thead>
      <tbody>
        {system.clients.map(({ name, open, weight, wanted, is_hungry: isHungry, is_me: isMe }, index) => (
          <tr key={`${index} ${name}`} class={isMe ? "mine" : ""}>
            <td>{name}{isMe && <span class="quiet"> · {text("thatIsMe")}</span>}</td>
            <td class="count">{open}</td>
            <td class="count">{weight}</td>
            <td>{isHungry ? (wanted ?? text("allItCanGet")) : text("noMore")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
