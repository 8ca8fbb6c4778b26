import { useSignal, useSignalEffect } from "@preact/signals";
import { Board } from "./board/Board";
import { connection, notice, open, page, settings, unsent } from "./model/state";
import { FairnessPage } from "./panels/FairnessPage";
import { GameInfo } from "./panels/GameInfo";
import { Header, openFiles } from "./panels/Header";
import { Keys } from "./panels/Keys";
import { NewGame } from "./panels/NewGame";
import { OpeningsPage } from "./panels/OpeningsPage";
import { PhoneBar } from "./panels/PhoneBar";
import { SidePanels } from "./panels/SidePanels";
import { Sides } from "./panels/Sides";
import { Status } from "./panels/Status";
import { SudokuPage } from "./panels/SudokuPage";
import { WorkersPage } from "./panels/WorkersPage";
import { PuzzlesPage } from "./puzzles/PuzzlesPage";
import { text } from "./texts";

export function App() {
  const isOver = useSignal(false);
  useSignalEffect(() => {
    document.documentElement.dataset["theme"] = settings.value.theme;
    document.documentElement.lang = settings.value.language;
  });
  useSignalEffect(() => {
    const title = page.value === "bench" ? open.value?.title : text(`${page.value}Page`);
    document.title = title ? `${title} – Tengen` : "Tengen";
  });
  return (
    <div
      class="app"
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={(event) => event.relatedTarget === null && (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void openFiles(event.dataTransfer?.files ?? null);
      }}
    >
      <Header />
      {page.value === "puzzles" && <PuzzlesPage />}
      {page.value === "workers" && <WorkersPage />}
      {page.value === "openings" && <OpeningsPage />}
      {page.value === "fairness" && <FairnessPage />}
      {page.value === "sudoku" && <SudokuPage />}
      {page.value === "bench" && (
        <main class="bench">
          <div class="table">
            <Sides />
            <Board />
            <Status />
          </div>
          <SidePanels />
          <PhoneBar />
        </main>
      )}
      <Notice />
      <Keys />
      <GameInfo />
      <NewGame />
      {isOver.value && <div class="drop">{text("dropHere")}</div>}
      <Lost />
    </div>
  );
}

// The server is away: what one does meanwhile is sent when it is back.
function Lost() {
  const state = connection.value;
  if (state !== "lost" && state !== "refused") return null;
  return (
    <div class="lost" role="alert">
      {text(state)}
      {unsent.value > 0 && ` ${text("unsent", unsent.value)}`}
    </div>
  );
}

function Notice() {
  useSignalEffect(() => {
    const shown = notice.value;
    if (shown) setTimeout(() => notice.value === shown && (notice.value = null), shown.isError ? 6000 : 2500);
  });
  const shown = notice.value;
  if (!shown) return null;
  return (
    <div class={`notice ${shown.isError ? "error" : ""}`} role={shown.isError ? "alert" : "status"} onClick={() => (notice.value = null)}>
      {shown.text}
    </div>
  );
}
