// Squares by their names, as people write them: columns are letters with I, rows are numbers from the bottom.

export interface Square {
  readonly x: number;
  readonly y: number;
}

export function columnName(x: number): string {
  if (x < 0) return "-" + columnName(-1 - x);
  let letters = "";
  for (let rest = x + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

export function nameOf(square: Square): string {
  return `${columnName(square.x)}${square.y + 1}`;
}

const SQUARES = /(-?)([A-Za-z]{1,4})(-?\d{1,5})/g;

export function parseSquares(text: string): Square[] {
  return [...text.matchAll(SQUARES)].map(([, minus, letters, row]) => {
    let x = 0;
    for (const letter of letters!.toUpperCase()) x = x * 26 + letter.charCodeAt(0) - 64;
    return { x: minus ? -x : x - 1, y: Number(row) - 1 };
  });
}

export function keyOf(x: number, y: number): string {
  return `${x},${y}`;
}
