import { signal } from "@preact/signals";
import { text } from "../texts";

export const showKeys = signal(false);

export function Keys() {
  if (!showKeys.value) return null;
  return (
    <div class="sheet" role="dialog" aria-label={text("keys")} onClick={() => (showKeys.value = false)}>
      <ul>
        {text("keyList").split(" · ").map((line) => <li key={line}>{line}</li>)}
      </ul>
    </div>
  );
}
