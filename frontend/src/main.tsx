import { render } from "preact";
import { App } from "./App";
import { listenToKeys } from "./keys";
import { load, openFromAddress, take } from "./model/actions";
import { listenToPaste } from "./model/branches";
import { lookForSamePositions } from "./model/search";
import { connection } from "./model/state";
import { listen } from "./net/events";
import "./style.css";

render(<App />, document.getElementById("app")!);
listenToKeys();
listenToPaste();
lookForSamePositions();
addEventListener("hashchange", () => void openFromAddress());
void load().then(() => listen(take, (state) => (connection.value = state)));
