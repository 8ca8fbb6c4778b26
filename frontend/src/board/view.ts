// Which part of the plane is seen, and how it is turned.

import type { Position } from "../model/position";
import type { Square } from "../model/squares";
import type { GameView } from "../net/types";

export interface Area {
  readonly left: number;
  readonly bottom: number;
  readonly columns: number;
  readonly rows: number;
}

const ROOM = 4; // around the stones of an infinite board
const LEAST = 19;

export function areaOf(game: GameView, position: Position): Area {
  if (game.columns !== null && game.rows !== null) return { left: 0, bottom: 0, columns: game.columns, rows: game.rows };
  const stones = [...position.stones.values()];
  const span = (values: number[]): [number, number] => {
    const low = Math.min(9, ...values) - ROOM;
    const high = Math.max(9, ...values) + ROOM;
    const more = Math.max(0, LEAST - (high - low + 1));
    return [low - Math.floor(more / 2), high + Math.ceil(more / 2)];
  };
  const [left, right] = span(stones.map((stone) => stone.x));
  const [bottom, top] = span(stones.map((stone) => stone.y));
  return { left, bottom, columns: right - left + 1, rows: top - bottom + 1 };
}

// From squares to places on the screen and back, one unit a square; quarter turns clockwise, then mirrored left to right.
export class View {
  readonly width: number;
  readonly height: number;

  constructor(
    readonly area: Area,
    private readonly turns: number,
    private readonly mirrored: boolean,
  ) {
    const isUpright = turns % 2 === 0;
    this.width = isUpright ? area.columns : area.rows;
    this.height = isUpright ? area.rows : area.columns;
  }

  place({ x, y }: Square): [number, number] {
    let across = x - this.area.left;
    let down = this.area.rows - 1 - (y - this.area.bottom);
    let [width, height] = [this.area.columns, this.area.rows];
    for (let turn = 0; turn < this.turns % 4; ++turn) {
      [across, down] = [height - 1 - down, across];
      [width, height] = [height, width];
    }
    return [this.mirrored ? width - 1 - across : across, down];
  }

  square(across: number, down: number): Square | null {
    if (across < 0 || down < 0 || across >= this.width || down >= this.height) return null;
    let [width, height] = [this.width, this.height];
    if (this.mirrored) across = width - 1 - across;
    for (let turn = 0; turn < this.turns % 4; ++turn) {
      [across, down] = [down, width - 1 - across];
      [width, height] = [height, width];
    }
    return { x: across + this.area.left, y: this.area.rows - 1 - down + this.area.bottom };
  }
}
