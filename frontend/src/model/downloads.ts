// Links to files of the server. A link cannot send the session token, so the file is fetched and then saved.

import { fetchFile } from "../net/request";
import { trying } from "./actions";

const REVOKE_AFTER_MS = 60_000;

export function listenToDownloads(): void {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[download][href^="/api/"]');
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    void trying(async () => {
      const file = await fetchFile(link.getAttribute("href")!);
      save(file.content, link.download || file.name);
    });
  });
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
