// The record: its tree, the comment of the node, and how to move about.

import { useEffect, useRef } from "preact/hooks";
import { showSearch } from "../keys";
import { edit, goTo, redo, removeBranch, step, toEnd, toStart, undo } from "../model/actions";
import { copyBranch, cutBranch, pasteLastCopied, promote } from "../model/branches";
import { moveNumber, moveOf } from "../model/record";
import { sameElsewhere } from "../model/search";
import { current, open } from "../model/state";
import { text } from "../texts";
import { toggleAll } from "../tree/collapsed";
import { Tree } from "../tree/Tree";
import { Icon, type IconName } from "./icons";
import { Marking } from "./Marking";
import { Item, Menu } from "./Menu";
import { Search } from "./Search";
import "./record.css";

export function RecordPanel() {
  const here = current.value;
  const hasParent = Boolean(here?.parent);
  const isMain = here?.parent?.children[0] === here;
  return (
    <div class="record">
      <div class="row tools">
        <Steps />
        <span class="space" />
        <Marking />
        <span class="space" />
        <Tool icon="undo" name="undo" onClick={() => void undo()} disabled={!open.value?.undo} />
        <Tool icon="redo" name="redo" onClick={() => void redo()} disabled={!open.value?.redo} />
        <Tool icon="search" name="search" onClick={() => (showSearch.value = !showSearch.value)} />
        <Menu icon="more" name="branch">
          <Item icon="cut" keys="Ctrl+X" onClick={() => void cutBranch()} disabled={!hasParent}>{text("cut")}</Item>
          <Item icon="copy" keys="Ctrl+C" onClick={() => void copyBranch()}>{text("copy")}</Item>
          <Item icon="paste" keys="Ctrl+V" onClick={() => void pasteLastCopied()}>{text("pasteBranch")}</Item>
          <hr />
          <Item icon="up" keys="Ctrl+↑" onClick={() => void promote(false)} disabled={!hasParent || isMain}>{text("promoteOne")}</Item>
          <Item icon="promote" keys="Ctrl+Shift+↑" onClick={() => void promote(true)} disabled={!hasParent}>{text("promote")}</Item>
          <Item icon="fold" keys="Shift+C" onClick={toggleAll}>{text("foldAll")}</Item>
          <hr />
          <Item icon="remove" keys="Del" onClick={() => void removeBranch()} disabled={!hasParent}>{text("remove")}</Item>
        </Menu>
      </div>
      <Search />
      <Tree />
      {here && <CommentBox key={`${open.value!.id} ${here.id}`} node={here.id} comment={here.properties["C"]?.[0] ?? ""} />}
      <Elsewhere />
    </div>
  );
}

export function Steps() {
  return (
    <>
      <Tool icon="first" name="first" onClick={toStart} />
      <Tool icon="back" name="back" onClick={() => step(-1)} />
      <Tool icon="forward" name="forward" onClick={() => step(1)} />
      <Tool icon="last" name="last" onClick={toEnd} />
    </>
  );
}

function Tool({ icon, name, onClick, disabled = false }: { icon: IconName; name: Parameters<typeof text>[0]; onClick: () => void; disabled?: boolean }) {
  return (
    <button class="tool" title={text(name)} aria-label={text(name)} onClick={onClick} disabled={disabled}>
      <Icon name={icon} />
    </button>
  );
}

// What somebody writes here is saved as he writes. Another window may write too: its text is shown as soon as ours is saved,
// and until then put before it, so that neither is lost.
function CommentBox({ node, comment }: { node: number; comment: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const saved = useRef(comment);
  const sent = useRef(new Set<string>()); // what comes back of these is known
  const waiting = useRef<{ text: string } | null>(null); // for its turn: who goes on writing changes it, and moves wait for one comment, not for each letter
  const save = (written: string) => {
    sent.current.add(written);
    if (waiting.current) {
      waiting.current.text = written;
      return;
    }
    const mine = (waiting.current = { text: written });
    const body = () => {
      waiting.current = null;
      return { node, text: mine.text };
    };
    void edit("comment", body).then((done) => done !== null && (saved.current = mine.text));
  };
  useEffect(() => {
    const written = box.current!.value;
    if (written === saved.current || written === comment) {
      saved.current = comment;
      show(box.current!, comment);
    } else if (!sent.current.has(comment)) {
      show(box.current!, [comment, written].filter(Boolean).join("\n\n"));
      save(box.current!.value);
    }
  }, [comment]);
  return (
    <textarea
      ref={box}
      class="comment"
      aria-label={text("comment")}
      placeholder={text("commentHint")}
      defaultValue={comment}
      onInput={(event) => save(event.currentTarget.value)}
    />
  );
}

// Whoever writes goes on at the same distance from the end.
function show(box: HTMLTextAreaElement, written: string): void {
  if (box.value === written) return;
  const fromEnd = box.value.length - box.selectionEnd;
  box.value = written;
  box.selectionStart = box.selectionEnd = Math.max(0, written.length - fromEnd);
}

// Other ways to this position, also mirrored ones.
function Elsewhere() {
  const nodes = sameElsewhere.value.flatMap((id) => open.value?.tree.nodes.get(id) ?? []);
  if (nodes.length === 0) return null;
  return (
    <p class="elsewhere quiet">
      {text("sameElsewhere")}{" "}
      {nodes.slice(0, 12).map((node) => (
        <button key={node.id} class="link" onClick={() => goTo(node.id)}>
          {moveNumber(node)}. {moveOf(node)?.text ?? text("first")}
        </button>
      ))}
      {nodes.length > 12 && ` +${nodes.length - 12}`}
    </p>
  );
}
