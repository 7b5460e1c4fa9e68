import { z } from 'zod'

/** How much of a box a follower has received: its first `seq` records, and its anchors up to an index, -1 being none. */
export type Position = { seq: number; anchor: number }

/** What is a position as text. */
const POSITION = /^(\d{1,9})-(\d{1,9}|none)$/

/** A position as the id of an event: `12-4`, or `12-none` before the first anchor. */
export const positionText = ({ seq, anchor }: Position): string => `${seq}-${anchor < 0 ? 'none' : anchor}`

/** What `positionText` wrote; undefined for anything else. */
export function readPosition(text: string): Position | undefined {
  const [, seq, anchor] = POSITION.exec(text) ?? []
  if (seq === undefined || anchor === undefined) return undefined
  return { seq: Number(seq), anchor: anchor === 'none' ? -1 : Number(anchor) }
}

/** A position in a query. */
export const PositionText = z.string().regex(POSITION, 'must be the id of an event')
