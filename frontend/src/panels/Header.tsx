// The top of the page: which record this is, other records, files.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { openText, rename, say, showPage, togglePage } from "../model/actions";
import { merge } from "../model/branches";
import { fileAddress, imageAddress, sharePosition } from "../model/share";
import { change, connection, desk, open, page, PAGES, saving, settings } from "../model/state";
import { text } from "../texts";
import { showInfo } from "./GameInfo";
import { Icon } from "./icons";
import { showKeys } from "./Keys";
import { Item, LinkItem, Menu } from "./Menu";
import { showNewGame } from "./NewGame";
import { Shelf } from "./Shelf";
import { beginTour } from "./tour";

export function Header() {
  const isOpen = useSignal(false);
  const file = useRef<HTMLInputElement>(null);
  return (
    <header class="top">
      <button class="brand" onClick={() => (isOpen.value = !isOpen.value)} aria-expanded={isOpen.value} title={text("records")}>
        <Icon name="menu" />
        <span>Tengen</span>
      </button>
      {isOpen.value && <Shelf onClose={() => (isOpen.value = false)} />}
      <input class="title" aria-label={text("title")} maxLength={500} value={open.value?.title ?? ""} onChange={(event) => renameBy(event.currentTarget)} />
      {open.value && !open.value.title.startsWith(open.value.game.name) && <span class="game">{open.value.game.name}</span>}
      <Saved />
      <span class="space" />
      <button class="tool" title={text("openFile")} aria-label={text("openFile")} onClick={() => file.current?.click()}><Icon name="file" /></button>
      <input ref={file} type="file" hidden multiple aria-label={text("openFile")} onChange={({ currentTarget: input }) => void openFiles(input.files).then(() => (input.value = ""))} />
      <FileMenu />
      <button class="tool roomy" title={text("share")} aria-label={text("share")} onClick={() => void sharePosition()}><Icon name="link" /></button>
      {PAGES.map((name) => <PageButton key={name} name={name} />)}
      <button class="tool roomy" title={text("theme")} aria-label={text("theme")} onClick={nextTheme}><Icon name="moon" /></button>
      <button class="tool wide" lang={settings.value.language === "en" ? "zh-Hant" : "en"} onClick={nextLanguage}>{text("language")}</button>
      <button class="tool" title={text("keys")} aria-label={text("keys")} onClick={() => (showKeys.value = true)}><Icon name="help" /></button>
    </header>
  );
}

// A record is never without a title: an empty one gives way to the old.
function renameBy(field: HTMLInputElement): void {
  if (field.value.trim()) void rename(field.value);
  else field.value = open.value?.title ?? "";
}

function PageButton({ name }: { name: (typeof PAGES)[number] }) {
  const isShown = page.value === name;
  const title = text(`${name}Page`);
  return (
    <button class={`tool to-page ${name === "puzzles" ? "" : "roomy"}`} aria-pressed={isShown} title={title} aria-label={title} onClick={() => togglePage(name)}>
      <Icon name={isShown ? "board" : name} />
      <span aria-hidden="true">{title}</span>
    </button>
  );
}

function Saved() {
  const state = connection.value === "lost" || connection.value === "refused" ? "failed" : saving.value;
  return (
    <span class={`saved ${state}`} role="status" title={text("savedHint")}>
      <Icon name={state === "failed" ? "warning" : "check"} />
      <span>{text(state)}</span>
    </span>
  );
}

function FileMenu() {
  const other = useRef<HTMLInputElement>(null);
  const title = open.value?.title ?? "record";
  return (
    <>
      <Menu icon="download" name="fileMenu">
        <Item icon="plus" keys="Shift+N" onClick={() => (showNewGame.value = true)}>{text("newRecord")}…</Item>
        <Item icon="info" onClick={() => (showInfo.value = true)}>{text("gameInfo")}</Item>
        <Item icon="link" onClick={() => void sharePosition()}>{text("share")}</Item>
        <Item icon="merge" onClick={() => other.current?.click()}>{text("mergeFile")}</Item>
        <hr />
        <b>{text("downloadAs")}</b>
        {desk.value?.formats.map(({ name, about, suffix }) => (
          <LinkItem key={name} icon="download" href={fileAddress(name)} file={title + suffix}>
            {name} <span class="quiet">{about}</span>
          </LinkItem>
        ))}
        <hr />
        <b>{text("image")}</b>
        <LinkItem icon="image" href={imageAddress("svg")} file={`${title}.svg`}>SVG</LinkItem>
        <LinkItem icon="image" href={imageAddress("png")} file={`${title}.png`}>PNG</LinkItem>
        <hr />
        <Item icon="puzzles" keys="Q" onClick={() => showPage("puzzles")}>{text("puzzlesPage")}</Item>
        <Item icon="openings" keys="O" onClick={() => showPage("openings")}>{text("openingsPage")}</Item>
        <Item icon="workers" keys="W" onClick={() => showPage("workers")}>{text("workersPage")}</Item>
        <Item icon="fairness" keys="F" onClick={() => showPage("fairness")}>{text("fairnessPage")}</Item>
        <Item icon="sudoku" keys="U" onClick={() => showPage("sudoku")}>{text("sudokuPage")}</Item>
        <hr />
        <Item icon="help" onClick={() => void beginTour()}>{text("tourAgain")}</Item>
        <Item icon="moon" onClick={nextTheme}>{text("theme")}</Item>
        <Item icon="language" onClick={nextLanguage}>{text("language")}</Item>
      </Menu>
      <input ref={other} class="merge-file" type="file" hidden aria-label={text("mergeFile")} onChange={(event) => void mergeFiles(event.currentTarget)} />
    </>
  );
}

export async function openFiles(files: FileList | null): Promise<void> {
  for (const file of files ?? []) await openText(await file.text(), file.name.replace(/\.[a-z]+$/i, ""));
}

async function mergeFiles(input: HTMLInputElement): Promise<void> {
  for (const file of input.files ?? []) await merge(await file.text()).catch((error: unknown) => say(String(error), true));
  input.value = "";
}

function nextLanguage(): void {
  change({ language: settings.value.language === "en" ? "zh-Hant" : "en" });
}

function nextTheme(): void {
  const isDark = settings.value.theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : settings.value.theme === "dark";
  change({ theme: isDark ? "light" : "dark" });
}
