// On a small screen, what one needs all the time stays under the thumb.

import { toggleAnalysis } from "../model/analyses";
import { busyAnalyses } from "../model/state";
import { text } from "../texts";
import { Steps } from "./Record";

export function PhoneBar() {
  return (
    <div class="phone-bar" role="toolbar" aria-label={text("steps")}>
      <Steps />
      <button class="primary" onClick={() => void toggleAnalysis()}>{busyAnalyses.value.length > 0 ? text("stop") : text("analyse")}</button>
    </div>
  );
}
