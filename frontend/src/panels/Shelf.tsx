// All records: single ones, and files that hold many.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useBorrowedFocus } from "../focus";
import { openAnother, openOnBench, removeDocument, trying } from "../model/actions";
import { collections, desk, documents, open } from "../model/state";
import { request } from "../net/request";
import type { CollectionEntry, CollectionPage, DocumentEntry } from "../net/types";
import { dateText, numberText, text } from "../texts";
import { useDismissal } from "./dismissal";
import { Icon } from "./icons";
import { showNewGame } from "./NewGame";
import "./shelf.css";

const AT_ONCE = 100; // the newest: to draw thousands takes seconds

export function Shelf({ onClose }: { onClose: () => void }) {
  const shown = useSignal(AT_ONCE);
  const shelf = useRef<HTMLElement>(null);
  // To the records, or to the button before them as long as there are none.
  useBorrowedFocus(shelf, (box) => (box.querySelector<HTMLElement>("li button, .collection-name") ?? box.querySelector("button"))?.focus());
  useDismissal(onClose, (target) => target.closest(".shelf, .brand") !== null);
  return (
    <nav class="shelf" ref={shelf} aria-label={text("records")}>
      <button
        class="new-record"
        onClick={() => {
          showNewGame.value = true;
          onClose();
        }}
      >
        <Icon name="plus" />
        {text("newRecord")}…
      </button>
      {collections.value.map((collection) => <Collected key={collection.id} collection={collection} onClose={onClose} />)}
      <ul>{documents.value.slice(0, shown.value).map((entry) => <Entry key={entry.id} entry={entry} onClose={onClose} />)}</ul>
      <More count={documents.value.length - shown.value} onClick={() => (shown.value += AT_ONCE)} />
    </nav>
  );
}

function Entry({ entry, onClose }: { entry: DocumentEntry; onClose: () => void }) {
  const game = desk.value?.games.find((one) => one.text === entry.game)?.name ?? entry.game;
  return (
    <li class={entry.id === open.value?.id ? "current" : ""}>
      <button
        aria-current={entry.id === open.value?.id}
        onClick={() => {
          void openOnBench(entry.id);
          onClose();
        }}
      >
        <b>{entry.title}</b>
        <span class="quiet">{game} · {dateText(entry.changed)}</span>
      </button>
      <button class="tool" aria-label={`${text("removeRecord")}: ${entry.title}`} title={text("removeRecord")} onClick={() => confirm(text("removeRecordSure", entry.title)) && void removeDocument(entry.id)}>
        <Icon name="remove" />
      </button>
    </li>
  );
}

// A file with many records, a page of them at a time.
function Collected({ collection, onClose }: { collection: CollectionEntry; onClose: () => void }) {
  const isOpen = useSignal(false);
  const wanted = useSignal("");
  const pages = useSignal<CollectionPage>({ documents: [], total: 0 });
  const load = async (start: number) => {
    const asked = wanted.value;
    const page = await trying(() => request<CollectionPage>("GET", `/api/collections/${collection.id}?start=${start}&text=${encodeURIComponent(asked)}`));
    const isNext = start === 0 || start === pages.value.documents.length; // and not there already
    if (page && asked === wanted.value && isNext) pages.value = { total: page.total, documents: start > 0 ? [...pages.value.documents, ...page.documents] : page.documents };
  };
  useSignalEffect(() => {
    void wanted.value;
    if (isOpen.value) void load(0);
  });
  const { documents: shown, total } = pages.value;
  return (
    <div class="collection">
      <div class="row">
        <button class="collection-name" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          <Icon name={isOpen.value ? "down" : "forward"} />
          <b>{collection.title}</b>
          <span class="quiet">{text("recordCount", numberText(collection.size))}</span>
        </button>
        <button class="tool" aria-label={`${text("removeRecord")}: ${collection.title}`} title={text("removeRecord")} onClick={() => void removeCollection(collection)}>
          <Icon name="remove" />
        </button>
      </div>
      {isOpen.value && (
        <>
          {collection.size > 10 && <input aria-label={text("filter")} placeholder={text("filter")} value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />}
          <ul>{shown.map((entry) => <Entry key={entry.id} entry={entry} onClose={onClose} />)}</ul>
          <More count={total - shown.length} onClick={() => void load(shown.length)} />
        </>
      )}
    </div>
  );
}

function More({ count, onClick }: { count: number; onClick: () => void }) {
  return count > 0 ? <button class="more" onClick={onClick}>{text("showMore", numberText(count))}</button> : null;
}

async function removeCollection({ id, title, size }: CollectionEntry): Promise<void> {
  if (!confirm(text("removeCollectionSure", title, size))) return;
  await trying(() => request("DELETE", `/api/collections/${id}`));
  // The record that is shown may have been one of them.
  const isThere = open.value && (await request("GET", `/api/documents/${open.value.id}`).then(() => true, () => false));
  if (!isThere) await openAnother();
}
