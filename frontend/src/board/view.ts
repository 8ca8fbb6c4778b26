// How squares become places on the screen: one unit a square, quarter turns clockwise, then mirrored left to right.

import type { Square } from "../model/squares";
import type { GameView } from "../net/types";

// The infinite board is turned about the middle of a board of this size. Places do not depend on what is seen.
const ANCHOR = 19;

export class View {
  readonly isEndless: boolean;
  readonly width: number;
  readonly height: number;
  private readonly columns: number;
  private readonly rows: number;

  constructor(
    game: Pick<GameView, "columns" | "rows">,
    readonly turns: number,
    readonly mirrored: boolean,
  ) {
    this.isEndless = game.columns === null || game.rows === null;
    this.columns = game.columns ?? ANCHOR;
    this.rows = game.rows ?? ANCHOR;
    const isUpright = turns % 2 === 0;
    this.width = isUpright ? this.columns : this.rows;
    this.height = isUpright ? this.rows : this.columns;
  }

  place({ x, y }: Square): [number, number] {
    let across = x;
    let down = this.rows - 1 - y;
    let [width, height] = [this.columns, this.rows];
    for (let turn = 0; turn < this.turns % 4; ++turn) {
      [across, down] = [height - 1 - down, across];
      [width, height] = [height, width];
    }
    return [this.mirrored ? width - 1 - across : across, down];
  }

  // The square at a place, null beside the board.
  square(across: number, down: number): Square | null {
    if (!this.isEndless && (across < 0 || down < 0 || across >= this.width || down >= this.height)) return null;
    let [width, height] = [this.width, this.height];
    if (this.mirrored) across = width - 1 - across;
    for (let turn = 0; turn < this.turns % 4; ++turn) {
      [across, down] = [down, width - 1 - across];
      [width, height] = [height, width];
    }
    return { x: across, y: this.rows - 1 - down };
  }
}
