const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  promote: "M12 20V5M5 12l7-7 7 7",
  remove: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  rotate: "M4 12a8 8 0 1 1 3 6.2M4 20v-5h5",
  mirror: "M12 3v18M9 7L3 17h6zM15 7l6 10h-6z",
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  close: "M6 6l12 12M18 6L6 18",
  more: "M4.5 12h1M11.5 12h1M18.5 12h1",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20",
  cut: "M6 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.5 8L20 18M8.5 16L20 6",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  paste: "M9 5H6v16h12V5h-3M9 3h6v4H9z",
  fold: "M4 12h16M8 5l4 4 4-4M8 19l4-4 4 4",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8h.01",
  merge: "M6 4v4c0 4 6 4 6 8v4M18 4v4c0 4-6 4-6 8",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
  language: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  check: "M5 13l4 4L19 7",
  warning: "M12 4L2.5 20h19zM12 10v4M12 17h.01",
  setUp: "M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM17 14v6M14 17h6",
  star: "M12 3.5l2.6 5.6 6 .7-4.4 4.2 1.2 6L12 17l-5.4 3 1.2-6L3.4 9.8l6-.7z",
  puzzles: "M4 8h4a2.5 2.5 0 1 1 5 0h4v4.5a2.5 2.5 0 1 1 0 5V21H4z",
  workers: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  openings: "M12 20V10M12 10L6 4M12 10l6-6M12 14l-7-2M12 14l7-2",
  fairness: "M12 4v16M8 20h8M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z",
  sudoku: "M4 4h16v16H4zM14.6 10.2a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0zM14.6 10.2c0 3.2-1.2 5.4-3.8 6.3",
  board: "M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16",
  help: "M9 9a3 3 0 1 1 4 3c-1 .4-1 1-1 2M12 18h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
