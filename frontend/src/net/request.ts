// Requests to the server. Errors carry its message, translated where the page has a translation.

import { serverText, text } from "../texts";
import { authorization } from "./session";

export class RequestError extends Error {}

// The server rejected the request and has changed nothing.
export class Refusal extends RequestError {}

// There was no response, or it was cut off.
export class ConnectionError extends RequestError {}

const MAX_BODY_BYTES = 32e6; // the server stops reading there, and a browser that continues to send would never get a response

export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  let response: Response;
  let content: unknown;
  const sent = body === undefined ? null : new Blob([JSON.stringify(body)], { type: "application/json" });
  if (sent && sent.size > MAX_BODY_BYTES) throw new Refusal(text("tooLarge", MAX_BODY_BYTES / 1e6));
  try {
    response = await fetch(path, { method, body: sent, headers: authorization() });
    content = await (response.headers.get("content-type")?.includes("json") ? response.json() : response.text());
  } catch {
    throw new ConnectionError(text("noAnswer"));
  }
  if (response.ok) return content as Answer;
  throw new (response.status < 500 ? Refusal : RequestError)(explain(content) || response.statusText);
}

export async function fetchFile(path: string): Promise<{ content: Blob; name: string }> {
  let response: Response;
  try {
    response = await fetch(path, { headers: authorization() });
    if (response.ok) {
      const name = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
      return { content: await response.blob(), name: name ?? "" };
    }
  } catch {
    throw new ConnectionError(text("noAnswer"));
  }
  throw new Refusal(explain(await response.json().catch(() => "")) || response.statusText);
}

function explain(content: unknown): string {
  if (typeof content === "string") return content;
  if (content && typeof content === "object") {
    if ("error" in content) return serverText(String(content.error));
    if ("detail" in content) return Array.isArray(content.detail) ? content.detail.map(({ msg }) => String(msg)).join("; ") : String(content.detail);
  }
  return "";
}
