import { useState } from 'react'
import { withIds, withoutIds } from './id-set.ts'

/** Rows of a list as they are shown, with what is under way to the shop already in them. */
export type ManagedRows<Row> = {
  rows: readonly Row[]
  /** Ids of rows whose change is under way. */
  busy: ReadonlySet<string>
  add: (row: Row) => void
  replace: (row: Row) => void
  /** Shows `after` at once; what the call answers takes its place, or, when it fails, what was there before. */
  change: (
    before: readonly Row[],
    after: readonly Row[],
    call: () => Promise<readonly Row[]>,
  ) => Promise<void>
  /** Takes the row away at once; it comes back to its place when the call fails. */
  remove: (row: Row, call: () => Promise<void>) => Promise<void>
}

/**
 * Optimistic rows over what the page has loaded; loading again starts from that. Source: spec §4.
 * @param idOf what tells rows apart
 */
export function useManagedRows<Row>(loaded: readonly Row[], idOf: (row: Row) => string): ManagedRows<Row> {
  const [from, setFrom] = useState(loaded)
  const [rows, setRows] = useState(loaded)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  if (from !== loaded) {
    setFrom(loaded)
    setRows(loaded)
  }

  const put = (changed: readonly Row[]) => {
    const byId = new Map(changed.map((row) => [idOf(row), row]))
    setRows((now) => now.map((row) => byId.get(idOf(row)) ?? row))
  }
  const during = async (ids: readonly string[], work: () => Promise<void>) => {
    setBusy((now) => withIds(now, ids))
    try {
      await work()
    } finally {
      setBusy((now) => withoutIds(now, ids))
    }
  }

  return {
    rows,
    busy,
    add: (row) => setRows((now) => [row, ...now.filter((other) => idOf(other) !== idOf(row))]),
    replace: (row) => put([row]),
    change: (before, after, call) => {
      put(after)
      return during(before.map(idOf), async () => {
        try {
          put(await call())
        } catch (error) {
          put(before)
          throw error
        }
      })
    },
    remove: (row, call) => {
      const place = rows.findIndex((other) => idOf(other) === idOf(row))
      setRows((now) => now.filter((other) => idOf(other) !== idOf(row)))
      return during([idOf(row)], async () => {
        try {
          await call()
        } catch (error) {
          setRows((now) =>
            now.some((other) => idOf(other) === idOf(row)) ? now : now.toSpliced(place, 0, row),
          )
          throw error
        }
      })
    },
  }
}
