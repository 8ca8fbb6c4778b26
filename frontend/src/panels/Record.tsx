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
  const hasParent = Boolean(current.value?.parent);
  const isMain = current.value?.parent?.children[0] === current.value;
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
      <CommentBox />
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

function CommentBox() {
  const box = useRef<HTMLTextAreaElement>(null);
  const node = current.value;
  const comment = node?.properties["C"]?.[0] ?? "";
  // What somebody writes here is not overwritten by what comes back of it.
  useEffect(() => {
    if (box.current && document.activeElement !== box.current) box.current.value = comment;
  }, [comment, node?.id]);
  return (
    <textarea
      ref={box}
      key={node?.id}
      class="comment"
      aria-label={text("comment")}
      placeholder={text("commentHint")}
      defaultValue={comment}
      onInput={(event) => {
        const written = event.currentTarget.value;
        if (node) void edit("comment", () => ({ node: node.id, text: written }));
      }}
    />
  );
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
