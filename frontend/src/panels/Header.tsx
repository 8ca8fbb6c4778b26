// The top of the page: which record this is, other records, files.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { newDocument, openDocument, openText, removeDocument, rename, say } from "../model/actions";
import { change, desk, documents, open, settings, type Theme } from "../model/state";
import { text } from "../texts";
import { Icon } from "./icons";
import { showKeys } from "./Keys";

export function Header() {
  const isOpen = useSignal(false);
  const file = useRef<HTMLInputElement>(null);
  const document_ = open.value;
  return (
    <header class="top">
      <button class="brand" onClick={() => (isOpen.value = !isOpen.value)} aria-expanded={isOpen.value} title={text("records")}>
        <Icon name="menu" />
        <span>Tengen</span>
      </button>
      <input class="title" aria-label={text("records")} value={document_?.title ?? ""} onChange={(event) => void rename(event.currentTarget.value)} />
      <span class="game">{document_?.game.name}</span>
      <span class="space" />
      <button class="tool" title={text("openFile")} aria-label={text("openFile")} onClick={() => file.current?.click()}><Icon name="file" /></button>
      <input ref={file} type="file" hidden multiple onChange={(event) => void openFiles(event.currentTarget.files)} />
      <a class="tool" title={text("download")} aria-label={text("download")} href={`/api/documents/${document_?.id}/file?format=littlegolem`} download={`${document_?.title ?? "record"}.sgf`}>
        <Icon name="download" />
      </a>
      <button class="tool" title={text("share")} aria-label={text("share")} onClick={() => void share()}><Icon name="link" /></button>
      <button class="tool" title={text("theme")} aria-label={text("theme")} onClick={nextTheme}><Icon name="moon" /></button>
      <button class="tool wide" onClick={() => change({ language: settings.value.language === "en" ? "zh-Hant" : "en" })}>{text("language")}</button>
      <button class="tool" title={text("keys")} aria-label={text("keys")} onClick={() => (showKeys.value = true)}><Icon name="help" /></button>
      {isOpen.value && <Shelf onClose={() => (isOpen.value = false)} />}
    </header>
  );
}

function Shelf({ onClose }: { onClose: () => void }) {
  return (
    <nav class="shelf" aria-label={text("records")}>
      <div class="row">
        <select
          aria-label={text("newRecord")}
          onChange={(event) => {
            void newDocument(event.currentTarget.value);
            onClose();
          }}
        >
          <option value="">{text("newRecord")}…</option>
          {desk.value?.games.map((game) => <option key={game.text} value={game.text}>{game.name}</option>)}
        </select>
      </div>
      <ul>
        {documents.value.map((entry) => (
          <li key={entry.id} class={entry.id === open.value?.id ? "current" : ""}>
            <button
              onClick={() => {
                void openDocument(entry.id);
                onClose();
              }}
            >
              <b>{entry.title}</b>
              <span class="quiet">{new Date(entry.changed).toLocaleString(settings.value.language)}</span>
            </button>
            <button class="tool" aria-label={text("remove")} title={text("remove")} onClick={() => void removeDocument(entry.id)}><Icon name="remove" /></button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export async function openFiles(files: FileList | null): Promise<void> {
  for (const file of files ?? []) await openText(await file.text(), file.name.replace(/\.[a-z]+$/i, ""));
}

async function share(): Promise<void> {
  await navigator.clipboard.writeText(location.href);
  say(text("copied"));
}

const THEMES: Theme[] = ["system", "light", "dark"];

function nextTheme(): void {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = settings.value.theme === "system" ? (isDark ? "dark" : "light") : settings.value.theme;
  change({ theme: THEMES.find((theme) => theme !== "system" && theme !== now)! });
}
