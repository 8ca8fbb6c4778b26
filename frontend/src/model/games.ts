// Games that are played on records.

import { request } from "../net/request";
import type { PlayedGameView } from "../net/types";
import { goTo, inTurn, newDocumentOnBench, trying } from "./actions";
import { currentId, games, open } from "./state";

// In turn with edits: a move made right after belongs to the game, one made right before is on the board when it begins.
export async function beginGame(black: string, white: string, control: string): Promise<void> {
  await inTurn(async ({ node }, { id }) => {
    const game = await trying(() => request<PlayedGameView>("POST", `/api/documents/${id}/game`, { node, black, white, control }));
    if (game) noteGame(game);
    return null;
  });
}

// With the colours swapped, and from the start: in a record of its own, so that this one keeps its result.
export async function rematch({ players, control }: PlayedGameView): Promise<void> {
  const game = open.value?.game.text;
  const id = game ? await newDocumentOnBench(game) : null;
  if (id && open.value?.id === id) await beginGame(players["white"]!, players["black"]!, control);
}

async function onGame(what: string): Promise<void> {
  await inTurn(async (place, { id }) => {
    const isThere = games.value.get(id)?.node === place.node;
    const game = await trying(() => request<PlayedGameView>("POST", `/api/documents/${id}/game/${what}`, {}));
    if (game) noteGame(game);
    return game && isThere ? { ...place, node: game.node } : null;
  });
}

export const takeBack = () => onGame("back");
export const resign = () => onGame("resign");
export const pause = () => onGame("pause");
export const resume = () => onGame("resume");

export async function endGame(): Promise<void> {
  const document = open.value;
  if (!document) return;
  await trying(() => request("DELETE", `/api/documents/${document.id}/game`));
}

// Whoever looks at the last position of a game goes on with it.
let followed: number | null = null; // where he is being taken

export function noteGame(game: PlayedGameView): void {
  const before = games.value.get(game.document);
  if (before && before.serial > game.serial) return;
  if (game.result === "Void") {
    games.value = new Map([...games.value].filter(([id]) => id !== game.document));
    return;
  }
  games.value = new Map(games.value).set(game.document, game);
  const isFollowing = !before || before.node === currentId.value || before.node === followed;
  if (open.value?.id === game.document && isFollowing && game.node !== currentId.value) void follow(game.node);
}

// The event about the game may come before the one about the record.
async function follow(node: number): Promise<void> {
  followed = node;
  for (let tries = 0; tries < 300 && !open.value?.tree.nodes.has(node); ++tries) await new Promise((resolve) => setTimeout(resolve, 10));
  if (followed !== node) return;
  followed = null;
  goTo(node, false);
}
