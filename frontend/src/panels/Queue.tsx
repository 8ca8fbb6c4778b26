// Everything that is at work, here and in other records, with a way to it and a way to end it.

import { goTo, openDocument, showPage } from "../model/actions";
import { stopTask } from "../model/analyses";
import { moveNumber } from "../model/record";
import { busyTasks, documents, open } from "../model/state";
import type { TaskView } from "../net/types";
import { text } from "../texts";
import { tabOf } from "./busy";
import { useCounting } from "./counting";
import { Icon } from "./icons";
import { showTab } from "./SidePanels";

export function Queue() {
  const busy = busyTasks.value;
  if (busy.length === 0) return null;
  return (
    <ul class="queue" aria-label={text("queue")}>
      {busy.map((task) => <Row key={task.id} task={task} />)}
    </ul>
  );
}

function Row({ task }: { task: TaskView }) {
  const share = shareDone(task);
  const seconds = useCounting(task.seconds, task.state === "running", task);
  const goThere = async () => {
    if (task.kind === "sudoku") return showPage("sudoku");
    if (task.document !== open.value?.id) await openDocument(task.document, task.node);
    else if (task.kind !== "move") goTo(task.node);
    showTab(tabOf(task.kind));
  };
  return (
    <li class={task.state}>
      <button class="what" onClick={() => void goThere()}>
        <i class="pulse" />
        <b>{text(`kind-${task.kind}` as "kind-analyse")}</b>
        <span class="quiet">{placeOf(task)}</span>
      </button>
      {share !== null && <progress max={1} value={share} aria-label={text(`kind-${task.kind}` as "kind-analyse")} />}
      <span class="quiet seconds">{task.state === "waiting" ? text("waiting") : `${Math.floor(seconds)} ${text("seconds")}`}</span>
      <button class="tool" title={text("stop")} aria-label={`${text("stop")}: ${text(`kind-${task.kind}` as "kind-analyse")}`} onClick={() => void stopTask(task.id)}><Icon name="close" /></button>
    </li>
  );
}

function placeOf(task: TaskView): string {
  if (task.kind === "sudoku") return text("withClues", Number(task.options["clues"]));
  if (task.document !== open.value?.id) return documents.value.find(({ id }) => id === task.document)?.title ?? "";
  const node = open.value.tree.nodes.get(task.node);
  if (!node || task.kind === "game") return "";
  const number = moveNumber(node);
  return number === 0 ? text("atBeginning") : text("afterMove", number);
}

// How much is done, where that is known.
function shareDone(task: TaskView): number | null {
  const answer = task.answer ?? {};
  const [done, of] = task.kind === "game" ? [answer["done"], answer["of"]] : [answer["decided"], Number(answer["decided"]) + Number(answer["waiting"])];
  if (task.kind !== "game" && task.kind !== "defend") return null;
  return Number(of) > 0 ? Number(done) / Number(of) : 0;
}
