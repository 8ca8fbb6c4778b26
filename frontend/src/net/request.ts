// Asking the server. Errors carry the server's own words.

import { text } from "../texts";

export class RequestError extends Error {}

// The server will have none of it, and has changed nothing.
export class Refusal extends RequestError {}

// Nobody answered.
export class ConnectionError extends RequestError {}

export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ConnectionError(text("noAnswer"));
  }
  const content: unknown = response.headers.get("content-type")?.includes("json") ? await response.json() : await response.text();
  if (response.ok) return content as Answer;
  throw new (response.status < 500 ? Refusal : RequestError)(explain(content) || response.statusText);
}

function explain(content: unknown): string {
  if (typeof content === "string") return content;
  if (content && typeof content === "object") {
    if ("error" in content) return String(content.error);
    if ("detail" in content) return JSON.stringify(content.detail);
  }
  return "";
}
