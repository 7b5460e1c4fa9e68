import type { Paged } from '@befaqt/domain/api/box-api'

/** A row with what tells it apart from others, and from its own earlier states. */
export type Versioned = { _id: string; version: number }

/** What is known of rows beyond what the page has loaded. */
export type Overlay<Row> = {
  /** Changes under way to the shop: the row as it will be; null: it will be gone. */
  optimistic: ReadonlyMap<string, Row | null>
  /** Rows as the shop returned them; they replace an older version that the page has loaded. */
  answered: ReadonlyMap<string, Row>
  /** Ids of rows that the shop has deleted. */
  deleted: ReadonlySet<string>
}

export type OverlayAction<Row> =
  | { type: 'begin'; rows: readonly Row[] }
  | { type: 'beginDelete'; id: string }
  /** The change of `ids` is over; `rows` are what the shop says of them, or nothing when it failed. */
  | { type: 'end'; ids: readonly string[]; rows: readonly Row[] }
  | { type: 'deleted'; id: string }

/** Nothing beyond what is loaded. */
export const emptyOverlay: Overlay<never> = {
  optimistic: new Map<string, never>(),
  answered: new Map<string, never>(),
  deleted: new Set(),
}

/** The overlay after something happened to a row. */
export function overlayAfter<Row extends Versioned>(
  overlay: Overlay<Row>,
  action: OverlayAction<Row>,
): Overlay<Row> {
  const optimistic = new Map(overlay.optimistic)
  switch (action.type) {
    case 'begin':
      for (const row of action.rows) optimistic.set(row._id, row)
      return { ...overlay, optimistic }
    case 'beginDelete':
      return { ...overlay, optimistic: optimistic.set(action.id, null) }
    case 'end': {
      const answered = new Map(overlay.answered)
      for (const id of action.ids) optimistic.delete(id)
      for (const row of action.rows) answered.set(row._id, row)
      return { ...overlay, optimistic, answered }
    }
    case 'deleted':
      optimistic.delete(action.id)
      return { ...overlay, optimistic, deleted: new Set([...overlay.deleted, action.id]) }
  }
}

/** A loaded row as it is shown; null: it is not. */
function shown<Row extends Versioned>(row: Row, { optimistic, answered, deleted }: Overlay<Row>): Row | null {
  if (deleted.has(row._id)) return null
  const coming = optimistic.get(row._id)
  if (coming !== undefined) return coming
  const newer = answered.get(row._id)
  return newer && newer.version > row.version ? newer : row
}

/** A loaded page with the overlay over it: its rows, and how many there are in all. */
export function overlaid<Row extends Versioned>(page: Paged<Row>, overlay: Overlay<Row>): Paged<Row> {
  const rows = page.rows.flatMap((row) => shown(row, overlay) ?? [])
  return { ...page, rows, total: page.total - (page.rows.length - rows.length) }
}
