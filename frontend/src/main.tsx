import { render } from "preact";
import { App } from "./App";
import { listenToKeys } from "./keys";
import { load, openFromAddress } from "./model/actions";
import { take } from "./model/told";
import { listenToPaste } from "./model/branches";
import { lookForSamePositions } from "./model/search";
import { connection, unsent } from "./model/state";
import { listenToDownloads } from "./model/downloads";
import { listen } from "./net/events";
import { enter, hasEntryKey } from "./net/session";
import "./style.css";

render(<App />, document.getElementById("app")!);
listenToKeys();
listenToPaste();
listenToDownloads();
lookForSamePositions();
addEventListener("beforeunload", (event) => unsent.value > 0 && event.preventDefault());
addEventListener("hashchange", () => {
  // The printed address pasted into this window changes only the fragment; all requests so far had another session.
  if (hasEntryKey()) void enter().then(() => location.reload());
  else void openFromAddress();
});
void enter().then(load).then(() => listen(take, (state) => (connection.value = state)));
