// All records: single ones, and files that hold many.

import { useSignal, useSignalEffect } from "@preact/signals";
import { newDocumentOnBench, openAnother, openOnBench, removeDocument, trying } from "../model/actions";
import { collections, desk, documents, open, settings } from "../model/state";
import { request } from "../net/request";
import type { CollectionEntry, CollectionPage, DocumentEntry } from "../net/types";
import { text } from "../texts";
import { useDismissal } from "./dismissal";
import { Icon } from "./icons";
import "./shelf.css";

export function Shelf({ onClose }: { onClose: () => void }) {
  useDismissal(true, (target) => target.closest(".shelf, .brand") !== null, onClose);
  return (
    <nav class="shelf" aria-label={text("records")}>
      <select
        aria-label={text("newRecord")}
        onChange={(event) => {
          void newDocumentOnBench(event.currentTarget.value);
          onClose();
        }}
      >
        <option value="">+ {text("newRecord")}…</option>
        {desk.value?.games.map((game) => <option key={game.text} value={game.text}>{game.name}</option>)}
      </select>
      {collections.value.map((collection) => <Collected key={collection.id} collection={collection} onClose={onClose} />)}
      <ul>{documents.value.map((entry) => <Entry key={entry.id} entry={entry} onClose={onClose} />)}</ul>
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
        <span class="quiet">{game} · {new Date(entry.changed).toLocaleString(settings.value.language, { dateStyle: "medium", timeStyle: "short" })}</span>
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
    if (page && asked === wanted.value) pages.value = { total: page.total, documents: start > 0 ? [...pages.value.documents, ...page.documents] : page.documents };
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
          <span class="quiet">{text("recordCount", collection.size.toLocaleString())}</span>
        </button>
        <button class="tool" aria-label={`${text("removeRecord")}: ${collection.title}`} title={text("removeRecord")} onClick={() => void removeCollection(collection)}>
          <Icon name="remove" />
        </button>
      </div>
      {isOpen.value && (
        <>
          {collection.size > 10 && <input aria-label={text("filter")} placeholder={text("filter")} value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />}
          <ul>{shown.map((entry) => <Entry key={entry.id} entry={entry} onClose={onClose} />)}</ul>
          {total > shown.length && <button class="more" onClick={() => void load(shown.length)}>{text("showMore", (total - shown.length).toLocaleString())}</button>}
        </>
      )}
    </div>
  );
}

async function removeCollection({ id, title, size }: CollectionEntry): Promise<void> {
  if (!confirm(text("removeCollectionSure", title, size))) return;
  await trying(() => request("DELETE", `/api/collections/${id}`));
  // The record that is shown may have been one of them.
  const isThere = open.value && (await request("GET", `/api/documents/${open.value.id}`).then(() => true, () => false));
  if (!isThere) await openAnother();
}
