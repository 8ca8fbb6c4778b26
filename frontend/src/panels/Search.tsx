// A small field that finds texts of the record.

import { useRef } from "preact/hooks";
import { useBorrowedFocus } from "../focus";
import { showSearch } from "../keys";
import { found, search, toFound, wanted } from "../model/search";
import { currentId } from "../model/state";
import { text } from "../texts";
import { Icon } from "./icons";

export function Search() {
  return showSearch.value ? <SearchField /> : null;
}

function SearchField() {
  const form = useRef<HTMLFormElement>(null);
  useBorrowedFocus(form, (box) => box.querySelector("input")?.focus());
  const nodes = found.value?.nodes;
  const at = nodes ? nodes.indexOf(currentId.value) + 1 : 0;
  return (
    <form
      ref={form}
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void toFound(1);
      }}
    >
      <input
        aria-label={text("search")}
        placeholder={text("searchHint")}
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
          void search();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") showSearch.value = false;
          if (event.key === "F3" || (event.key === "Enter" && event.shiftKey)) {
            event.preventDefault();
            void toFound(event.shiftKey ? -1 : 1);
          }
        }}
      />
      <span class="quiet" aria-live="polite">{nodes && (nodes.length === 0 ? text("nothingFound") : `${at || "–"} / ${nodes.length}${found.value?.isCut ? "+" : ""}`)}</span>
      <button type="button" class="tool" title={text("searchPrevious")} aria-label={text("searchPrevious")} onClick={() => void toFound(-1)}><Icon name="up" /></button>
      <button type="submit" class="tool" title={text("searchNext")} aria-label={text("searchNext")}><Icon name="down" /></button>
      <button type="button" class="tool" title={text("close")} aria-label={text("close")} onClick={() => (showSearch.value = false)}><Icon name="close" /></button>
    </form>
  );
}
