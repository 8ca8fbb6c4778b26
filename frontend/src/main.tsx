import { render } from "preact";
import { App } from "./App";
import { listenToKeys } from "./keys";
import { load, take } from "./model/actions";
import { connection } from "./model/state";
import { listen } from "./net/events";
import "./style.css";

render(<App />, document.getElementById("app")!);
listenToKeys();
void load().then(() => listen(take, (state) => (connection.value = state)));
