// Our own line icons on a grid of 24.

const shapes = {
  check: "M4 12.500 9.500 18 20 6.500",
  cross: "M6 6l12 12M18 6 6 18",
  info: "M12 11v6M12 7.200v.1",
  clock: "M12 7v5l3.500 2",
  pause: "M9.500 8v8M14.500 8v8",
  cloud: "M7 18a4 4 0 0 1-.6-7.960A6 6 0 0 1 18 9.500a4.250 4.250 0 0 1 0 8.500zM9 22l6-8",
  box: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  back: "M14.500 5.500 8 12l6.500 6.500",
  receipt: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.500 1h-15zM10 21h4",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2v2h-2zM14 18h2v2h-2zM18 18h2v2h-2z",
  overlap: "M4 5h11v9H4zM9 10h11v9H9z",
  menu: "M4 7h16M4 12h16M4 17h16",
  moon: "M20 14.500A8.250 8.250 0 1 1 9.500 4 6.500 6.500 0 0 0 20 14.500z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400",
  share: "M12 15V4M8 7.500 12 3.500l4 4M5 12v8h14v-8",
  printer: "M7 9V4h10v5M7 17H4v-8h16v8h-3M7 14h10v6H7z",
  calendar: "M4 6h16v14H4zM4 10.500h16M8 3.500v4M16 3.500v4",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  shield: "M12 3l7 3v6c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6zM9 12l2 2 4-4",
} as const;

const ringed = new Set<string>(["info", "clock", "pause"]);

export type IconName = keyof typeof shapes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {ringed.has(name) && <circle cx="12" cy="12" r="9" />}
      <path d={shapes[name]} />
    </svg>
  );
}
