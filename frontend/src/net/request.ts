// Asking the server. Errors carry its words, in the language of the page where there are some for them.

import { serverText, text } from "../texts";

export class RequestError extends Error {}

// The server will have none of it, and has changed nothing.
export class Refusal extends RequestError {}

// Nobody answered, or the answer broke off.
export class ConnectionError extends RequestError {}

const MOST_BYTES = 32e6; // the server reads no more, and a browser that goes on sending would wait for it forever

export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  let response: Response;
  let content: unknown;
  const sent = body === undefined ? null : new Blob([JSON.stringify(body)], { type: "application/json" });
  if (sent && sent.size > MOST_BYTES) throw new Refusal(text("tooLarge", MOST_BYTES / 1e6));
  try {
    response = await fetch(path, { method, body: sent });
    content = await (response.headers.get("content-type")?.includes("json") ? response.json() : response.text());
  } catch {
    throw new ConnectionError(text("noAnswer"));
  }
  if (response.ok) return content as Answer;
  throw new (response.status < 500 ? Refusal : RequestError)(explain(content) || response.statusText);
}

function explain(content: unknown): string {
  if (typeof content === "string") return content;
  if (content && typeof content === "object") {
    if ("error" in content) return serverText(String(content.error));
    if ("detail" in content) return Array.isArray(content.detail) ? content.detail.map(({ msg }) => String(msg)).join("; ") : String(content.detail);
  }
  return "";
}
