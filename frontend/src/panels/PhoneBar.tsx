// On a small screen, what one needs all the time stays under the thumb.

import { toggleAnalysis } from "../model/analyses";
import { isAnalysing } from "../model/state";
import { text } from "../texts";
import { Steps } from "./Record";

export function PhoneBar() {
  return (
    <div class="phone-bar" role="toolbar" aria-label={text("steps")}>
      <Steps />
      <button class="primary" onClick={() => void toggleAnalysis()}>{isAnalysing.value ? text("stop") : text("analyse")}</button>
    </div>
  );
}
