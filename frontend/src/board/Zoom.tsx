// Nearer and farther, for those who have neither wheel nor keyboard at hand. Beside the board: on it they would cover squares.

import { Icon } from "../panels/icons";
import { text } from "../texts";
import { chosenBox, showAll, view, zoom } from "./camera";

export function Zoom() {
  const isChosen = chosenBox.value !== null;
  return (
    <span class={`zoom ${isChosen || view.value?.isEndless ? "in-use" : ""}`}>
      <button type="button" class="tool" title={text("zoomIn")} aria-label={text("zoomIn")} onClick={() => zoom(0.75)}><Icon name="plus" /></button>
      <button type="button" class="tool" title={text("zoomOut")} aria-label={text("zoomOut")} onClick={() => zoom(1 / 0.75)}><Icon name="minus" /></button>
      {isChosen && <button type="button" class="tool" title={text("showAll")} aria-label={text("showAll")} onClick={showAll}><Icon name="fit" /></button>}
    </span>
  );
}
