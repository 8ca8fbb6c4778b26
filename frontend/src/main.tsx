import { render } from "preact";
import { App } from "./App";
import { listenToKeys } from "./keys";
import { load, openFromAddress } from "./model/actions";
import { take } from "./model/told";
import { listenToPaste } from "./model/branches";
import { lookForSamePositions } from "./model/search";
import { connection, unsent } from "./model/state";
import { listen } from "./net/events";
import "./style.css";

render(<App />, document.getElementById("app")!);
listenToKeys();
listenToPaste();
lookForSamePositions();
addEventListener("beforeunload", (event) => unsent.value > 0 && event.preventDefault());
addEventListener("hashchange", () => void openFromAddress());
void load().then(() => listen(take, (state) => (connection.value = state)));
