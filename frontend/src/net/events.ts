// Events of the server over a WebSocket. They are delivered once a frame; a lost connection is retried.

import { authorization, webSocketProtocols } from "./session";
import type { ServerEvent } from "./types";

// "refused": a server that was started with other data rejects the session token of this page.
export type Connection = "connecting" | "open" | "lost" | "refused";

export function listen(onEvents: (events: ServerEvent[]) => void, onState: (state: Connection) => void): void {
  let waiting: ServerEvent[] = [];
  let attempts = 0;
  let frame = 0;
  let timer = 0;

  const hand = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    const events = waiting;
    waiting = [];
    onEvents(events);
  };

  const connect = () => {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/events`, webSocketProtocols());
    socket.onopen = () => {
      attempts = 0;
      onState("open");
    };
    socket.onmessage = (message) => {
      if (waiting.length === 0) {
        frame = requestAnimationFrame(hand);
        timer = window.setTimeout(hand, 200); // frames do not come in a window that nobody sees
      }
      waiting.push(...(JSON.parse(String(message.data)) as ServerEvent[]));
    };
    socket.onclose = async () => {
      onState((await isRefused()) ? "refused" : "lost");
      attempts += 1;
      setTimeout(connect, Math.min(3000, 250 * attempts));
    };
  };
  onState("connecting");
  connect();
}

// The close event of a WebSocket does not contain the reason.
async function isRefused(): Promise<boolean> {
  try {
    return (await fetch("/api/tasks", { headers: authorization() })).status === 403;
  } catch {
    return false;
  }
}
