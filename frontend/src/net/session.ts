// The session token: kept in the storage of this origin, which includes the port, and sent in a header. A cookie would
// go to the servers on all ports of this host, and any of them could replay it here.

const STORED = "tengen-session";
const ENTRY_KEY = /(^#|&)key=([\w-]*)&?/;

let token = read();

export function authorization(): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {};
}

// Browsers cannot add headers to a WebSocket; the server takes the token from the list of subprotocols and selects the first.
export function webSocketProtocols(): string[] {
  return ["tengen", ...(token ? [`tengen.session.${token}`] : [])];
}

export function hasEntryKey(): boolean {
  return ENTRY_KEY.test(location.hash);
}

// Exchanges the key in the address for the session token and removes it from the address. Without a valid key the token
// of an earlier visit stays in use.
export async function enter(): Promise<void> {
  const key = ENTRY_KEY.exec(location.hash)?.[2];
  if (key === undefined) return;
  const rest = location.hash.replace(ENTRY_KEY, "$1").replace(/[#&]$/, "");
  history.replaceState(null, "", rest || location.pathname);
  try {
    const response = await fetch("/api/session", { method: "POST", headers: { authorization: `Bearer ${key}` } });
    if (response.ok) keep(((await response.json()) as { session: string }).session);
  } catch {
    // The page reports a lost connection as soon as it asks for data.
  }
}

function keep(session: string): void {
  token = session;
  try {
    localStorage.setItem(STORED, session);
  } catch {
    // Storage may be disabled: the session then lasts as long as the page.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}
