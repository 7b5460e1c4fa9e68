import { LineDrawing } from '#web/components/icon.tsx'

/** Path data of the rail's line icons on a 24×24 grid. They are no part of `Icon`, which every page of the shop loads. */
const icons = {
  today:
    'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  order: 'M6 4h12v16.5l-3-2-3 2-3-2-3 2zM9 9h6M9 13h6',
  complaint: 'M4 5h16v11h-9l-4.5 4v-4H4zM12 8v3.5M12 13.5v.01',
  slot: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2',
  product: 'M3 12c3-4.5 9-5.5 13-1.5l4.5-3v9l-4.5-3c-4 4-10 3-13-1.5zM7.5 11.5v.01',
  category: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  offer: 'M4 4h7.5l8.5 8.5-7.5 7.5L4 11.5zM8.2 8.2v.01',
  box: 'M4 8l8-4 8 4v8.5l-8 4-8-4zM4 8l8 4 8-4M12 12v8.5',
  excursion: 'M10 13.5V5.5a2 2 0 1 1 4 0v8a4 4 0 1 1-4 0zM12 10v6',
  trade: 'M6 3.5h8l4.5 4.5v12.5H6zM13.5 3.5V8.5h5M9 13h6M9 16.5h6',
  supplier: 'M3.5 15h17l-2.5 5H6zM12 15V3.5l6 8h-6',
  device: 'M7 7h10v10H7zM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5',
  tracker:
    'M12 21c4-4.5 6.5-8 6.5-11a6.5 6.5 0 1 0-13 0c0 3 2.5 6.5 6.5 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  station: 'M2.5 12c4.5-7 14.5-7 19 0-4.5 7-14.5 7-19 0zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z',
  user: 'M9 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c.5-3.5 3-5 6.5-5s6 1.5 6.5 5M16 5a3 3 0 0 1 0 6M18 14.5c2 .7 3.2 2.4 3.5 5',
  customer: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20.5c.7-4 3.6-6 7.5-6s6.8 2 7.5 6',
  report: 'M4 20h16M6.5 20v-6M11 20V9M15.5 20v-8M20 20V5',
  site: 'M4.5 11v9h15v-9M3 11l2-6.5h14l2 6.5zM9.5 20v-5h5v5',
  mail: 'M3.5 5.5h17v13h-17zM3.5 6.5l8.5 6.5 8.5-6.5',
  key: 'M8 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 12h9v4M17 12v3',
  webhook:
    'M6 17.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5zM18 11.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5zM8.3 13.9l7.4-3.8M13 16h6l-2-2M19 16l-2 2',
  health: 'M2.5 12.5h4l2.500-7 5 13 2.500-6h5',
  backup:
    'M4 5.5C4 3.8 20 3.8 20 5.5v13c0 1.7-16 1.7-16 0zM4 5.5c0 1.7 16 1.7 16 0M4 12c0 1.7 16 1.7 16 0M12 15v3',
  fold: 'M4 4.5h16v15H4zM9.5 4.5v15M16 9.5 13.5 12l2.5 2.5',
} as const

export type DeskIcon = keyof typeof icons

/** A line icon of the desk, 20 px. Its meaning is written beside it. */
export const DeskIconDrawing = ({ name }: { name: DeskIcon }) => (
  <LineDrawing className="size-5">
    <path d={icons[name]} />
  </LineDrawing>
)
