import { isDeepStrictEqual } from 'node:util'
import { loadState } from '#server/boxes/projection/load-state.ts'
import { FORMULAS, projectionOf } from '#server/boxes/projection/projection.ts'
import type { BoxRow } from '#server/boxes/records/read-records.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import type { Db } from '#server/db/client.ts'

type Deps = { db: Db; siteFile: { market: Market } }

/** As it is in a row of the database: dates as text, and nothing undefined. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/**
 * What lists, cards and pages show of a box and its records don't give, by the name of its column. Figures by older
 * formulas wait for their own job (renew-projections.ts).
 */
export async function figureDifferences({ db, siteFile }: Deps, row: BoxRow): Promise<string[]> {
  if (row.count === 0 || row.projection?.formulas !== FORMULAS) return []
  const state = await loadState(db, row, siteFile.market)
  const right = { ...state.summary(), projection: projectionOf(row, state) }
  return Object.entries(right).flatMap(([column, value]) => {
    const shown = asStored(row[column as keyof typeof right])
    return isDeepStrictEqual(shown, asStored(value))
      ? []
      : [`${column} is ${JSON.stringify(shown)}, and by its records ${JSON.stringify(value)}`]
  })
}
