import { useSignal, useSignalEffect } from "@preact/signals";
import { Board } from "./board/Board";
import { connection, notice, settings } from "./model/state";
import { Analysis } from "./panels/Analysis";
import { GameInfo } from "./panels/GameInfo";
import { Graph } from "./panels/Graph";
import { Header, openFiles } from "./panels/Header";
import { Keys } from "./panels/Keys";
import { PhoneBar } from "./panels/PhoneBar";
import { Play } from "./panels/Play";
import { Proof } from "./panels/Proof";
import { RecordPanel } from "./panels/Record";
import { Status } from "./panels/Status";
import { TourCard } from "./panels/TourCard";
import { text } from "./texts";

export function App() {
  const isOver = useSignal(false);
  useSignalEffect(() => {
    document.documentElement.dataset["theme"] = settings.value.theme;
    document.documentElement.lang = settings.value.language;
  });
  return (
    <div
      class="app"
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={(event) => event.target === event.currentTarget && (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void openFiles(event.dataTransfer?.files ?? null);
      }}
    >
      <Header />
      <main>
        <div class="table">
          <Board />
          <Status />
          <PhoneBar />
        </div>
        <aside>
          <TourCard />
          <Analysis />
          <Proof />
          <Play />
          <Graph />
          <RecordPanel />
        </aside>
      </main>
      <Notice />
      <Keys />
      <GameInfo />
      {isOver.value && <div class="drop">{text("dropHere")}</div>}
      {connection.value === "lost" && <div class="lost" role="alert">{text("lost")}</div>}
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
