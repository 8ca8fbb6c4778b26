import { open } from "../model/state";
import { text } from "../texts";
import { Icon } from "./icons";
import { beginTour, endTour, nextStep, progress, tourStep, tourText } from "./tour";
import "./tour.css";

export function TourCard() {
  if (!tourStep.value || !tourText.value || !open.value) return null;
  const [at, all] = progress();
  const isOffer = tourStep.value === "offer";
  const isEnd = tourStep.value === "end";
  return (
    <section class="tour" aria-label={text("tour")} aria-live="polite">
      <button class="tool close" aria-label={text("tourSkip")} title={text("tourSkip")} onClick={endTour}><Icon name="close" /></button>
      <p>{text(tourText.value)}</p>
      <div class="row">
        {isOffer ? (
          <button class="primary" onClick={() => void beginTour(text("tourTitle"))}>{text("tourBegin")}</button>
        ) : (
          <button class={isEnd ? "primary" : ""} onClick={isEnd ? endTour : nextStep}>{text(isEnd ? "tourDone" : "tourNext")}</button>
        )}
        {!isEnd && <button class="link" onClick={endTour}>{text("tourSkip")}</button>}
        <span class="space" />
        {!isOffer && <span class="steps" aria-label={`${at} / ${all}`} role="img">{Array.from({ length: all }, (_, index) => <i key={index} class={index < at ? "on" : ""} />)}</span>}
      </div>
    </section>
  );
}
