// How the player gets on: rating with its course, streaks, and what is due again.

import type { ProgressView } from "../net/types";
import { Figure } from "../panels/Figure";
import { text } from "../texts";
import { choose, ANY, progress } from "./model";

const WIDTH = 300;
const HEIGHT = 64;

export function ProgressCard() {
  const told = progress.value;
  if (!told) return null;
  return (
    <section class="card progress-card" aria-label={text("yourProgress")}>
      <div class="rating-row">
        <p class="rating"><b>{told.rating}</b> <span class="quiet">± {told.deviation}</span><span class="name quiet">{text("yourRating")}</span></p>
        <Curve told={told} />
      </div>
      <dl class="figures">
        <Figure name={text("inARow")} value={told.in_a_row} of={told.best_in_a_row} />
        <Figure name={text("daysInARow")} value={told.days} of={told.best_days} />
        <Figure name={text("solvedCleanly")} value={told.solved} of={told.attempts} />
        <div class={told.due > 0 ? "has-due" : ""}>
          <dt>{text("due")}</dt>
          <dd>{told.due > 0 ? <button class="chip" onClick={() => void choose(ANY)}>{told.due}</button> : 0}<small class="quiet"> / {told.to_repeat}</small></dd>
        </div>
      </dl>
    </section>
  );
}

function Curve({ told }: { told: ProgressView }) {
  const ratings = told.history.map(({ rating }) => rating);
  if (ratings.length < 2) return <p class="quiet curve-hint">{text("curveHint")}</p>;
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const span = Math.max(100, most - least);
  const x = (index: number) => (index / (ratings.length - 1)) * WIDTH;
  const y = (rating: number) => HEIGHT - 4 - ((rating - (least + most - span) / 2) / span) * (HEIGHT - 8);
  const path = ratings.map((rating, index) => `${index === 0 ? "M" : "L"}${x(index).toFixed(1)} ${y(rating).toFixed(1)}`).join("");
  return (
    <svg class="rating-curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={text("ratingCurve", ratings[0]!, ratings.at(-1)!)}>
      <path d={`${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} class="under" />
      <path d={path} class="course" />
    </svg>
  );
}
