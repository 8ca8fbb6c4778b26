// The list of keys, made of what the keys do.

import { signal } from "@preact/signals";
import { KEY_GROUPS } from "../keys";
import { text } from "../texts";
import { Dialog } from "./Dialog";

export const showKeys = signal(false);

const SIGNS: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", Delete: "Del", PageUp: "PgUp", PageDown: "PgDn" };

export function Keys() {
  return (
    <Dialog isOpen={showKeys} title={text("keys")}>
      <div class="key-groups">
        {KEY_GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3>{text(title)}</h3>
            <dl>
              {keys.map(({ combos, name }) => (
                <div key={name}>
                  <dt>{combos.map((combo, index) => <Combo key={combo} combo={combo} isAnother={index > 0} />)}</dt>
                  <dd>{text(name)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>{text("mouse")}</h3>
          <dl>
            {(["mouseWheel", "mouseZoom", "mouseDrag", "mouseFit", "mouseCandidate", "mouseLine"] as const).map((name) => {
              const [what, does] = text(name).split(": ");
              return (
                <div key={name}>
                  <dt>{what}</dt>
                  <dd>{does}</dd>
                </div>
              );
            })}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

function Combo({ combo, isAnother }: { combo: string; isAnother: boolean }) {
  return (
    <span class="combo">
      {isAnother && <i>/</i>}
      {combo.split(/(?<=.)\+/).map((key) => <kbd key={key}>{key === " " ? text("spaceKey") : (SIGNS[key] ?? key)}</kbd>)}
    </span>
  );
}
