// Links and files of what is shown.

import { request } from "../net/request";
import type { PositionText } from "../net/types";
import { text } from "../texts";
import { say, trying } from "./actions";
import { current, open, settings } from "./state";

// The whole position is in the link: it opens on any workbench, also where the record is not.
export async function sharePosition(): Promise<void> {
  const document = open.value;
  if (!document) return;
  const answer = await trying(() => request<PositionText>("GET", `/api/documents/${document.id}/position?node=${current.value!.id}`));
  if (!answer) return;
  await copyLink(`${location.origin}/#position=${encodeURIComponent(answer.text || document.game.text)}`);
}

export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    say(text("copied"));
  } catch {
    prompt(text("share"), link);
  }
}

export function imageAddress(format: "svg" | "png"): string {
  return `/api/documents/${open.value?.id}/image?node=${current.value?.id}&format=${format}&numbers=${settings.value.numbers}`;
}

export function fileAddress(format: string): string {
  return `/api/documents/${open.value?.id}/file?format=${format}`;
}
