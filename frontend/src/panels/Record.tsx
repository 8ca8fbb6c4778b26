// The record: its tree, the comment of the node, and how to move about.

import { useEffect, useRef } from "preact/hooks";
import { edit, promote, redo, removeBranch, step, toEnd, toStart, undo } from "../model/actions";
import { current, open } from "../model/state";
import { text } from "../texts";
import { Tree } from "../tree/Tree";
import { Icon, type IconName } from "./icons";

export function RecordPanel() {
  return (
    <section class="panel record" aria-label={text("tree")}>
      <div class="row tools">
        <Tool icon="first" name="first" onClick={toStart} />
        <Tool icon="back" name="back" onClick={() => step(-1)} />
        <Tool icon="forward" name="forward" onClick={() => step(1)} />
        <Tool icon="last" name="last" onClick={toEnd} />
        <span class="space" />
        <Tool icon="undo" name="undo" onClick={() => void undo()} disabled={!open.value?.undo} />
        <Tool icon="redo" name="redo" onClick={() => void redo()} disabled={!open.value?.redo} />
        <Tool icon="promote" name="promote" onClick={() => void promote(true)} />
        <Tool icon="remove" name="remove" onClick={() => void removeBranch()} disabled={!current.value?.parent} />
      </div>
      <Tree />
      <CommentBox />
    </section>
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
