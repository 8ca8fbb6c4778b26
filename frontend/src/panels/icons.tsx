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
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
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
