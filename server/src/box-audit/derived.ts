import { isDeepStrictEqual } from 'node:util'
import { measureOf } from '@befaqt/domain/amount'
import { fromHex, genesisHead, headAfter, toHex } from '@befaqt/provenance'
import { loadPaths, proveBox } from '@befaqt/provenance/box-map'
import { desc, eq, sql } from 'drizzle-orm'
import { nodesIn } from '#server/anchoring/index.ts'
import {
  type BoxRow,
  FORMULAS,
  gramsLeftAfter,
  type HistoryDeps,
  loadState,
  lockBox,
  type Market,
  projectionOf,
  renewProjection,
  withArchive,
} from '#server/boxes/index.ts'
import { type CatalogueWriter, changeCatalogue } from '#server/catalogue/index.ts'
import { ONE_MOMENT, rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import { diffExcursions, rebuildExcursions } from '#server/excursions/index.ts'

export type AuditDeps = CatalogueWriter & HistoryDeps & { siteFile: { market: Market } }

/** What is derived of a box. */
export type Derived = {
  /** How it differs from what it is derived of, in sentences; none: it does not. */
  differences(deps: AuditDeps, row: BoxRow): Promise<string[]>
  /** Makes it anew; what has none needs a person. */
  rebuild?(deps: AuditDeps, boxID: string): Promise<unknown>
}

/** As it is in a row of the database: dates as text, and nothing undefined. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/**
 * What lists, cards and pages show of a box and its records don't give, by the name of its column. Figures by older
 * formulas wait for their own job (boxes/projection/projection.ts).
 */
async function figureDifferences(deps: AuditDeps, row: BoxRow): Promise<string[]> {
  if (row.count === 0 || row.projection?.formulas !== FORMULAS) return []
  const { db, siteFile } = deps
  const state = await withArchive(deps, (archived) => loadState(db, row, siteFile.market, archived))
  const right = { ...state.summary(), projection: projectionOf(row, state) }
  return Object.entries(right).flatMap(([column, value]) => {
    const shown = asStored(row[column as keyof typeof right])
    return isDeepStrictEqual(shown, asStored(value))
      ? []
      : [`${column} is ${JSON.stringify(shown)}, and by its records ${JSON.stringify(value)}`]
  })
}

/** Excursions against the readings as they are now. A box that waits to be followed has none to compare. */
async function excursionDifferences(deps: AuditDeps, { id }: BoxRow): Promise<string[]> {
  const found = await diffExcursions(deps, id)
  return found.map(
    ({ only, since, until, peak }) => `only in the ${only}: ${since} to ${until ?? 'now'}, up to ${peak} °C`,
  )
}

/**
 * Where a box's records of sales and losses don't add up to what orders and losses say, in grams, or in pieces, by which
 * records mean whatever is counted. What came back to a box after it was sealed is in no record.
 */
async function saleDifferences({ db }: AuditDeps, { id, sealed }: BoxRow): Promise<string[]> {
  const [recorded] = await rows<Record<'grams' | 'pieces', number>>(
    db,
    sql`select coalesce(sum((d->>'grams')::int * sign), 0)::float8 as grams,
          coalesce(sum((d->>'pieces')::int * sign), 0)::float8 as pieces
        from (select body::jsonb->'data' as d from records where box_id = ${id} and kind in ('sale', 'loss')) said,
          lateral (select case when d->>'returned' = 'true' then -1 else 1 end as sign) s`,
  )
  const said = await rows<{ unit: string; amount: number }>(
    db,
    sql`select l.unit, b.amount from order_line_boxes b join orders o on o.id = b.order_id
          join order_lines l on l.order_id = b.order_id and l.position = b.position
          where b.box_id = ${id} and o.status <> 'PLACED'
        union all select unit, amount from box_losses where box_id = ${id}`,
  )
  const weighed = (one: { unit: string }): boolean => measureOf(one.unit) === 'grams'
  return (['grams', 'pieces'] as const).flatMap((what) => {
    const written = recorded?.[what] ?? 0
    const meant = said
      .filter((one) => weighed(one) === (what === 'grams'))
      .reduce((sum, { amount }) => sum + amount, 0)
    const isRight = sealed ? written >= meant : written === meant
    return isRight ? [] : [`${written} ${what} sold or lost by its records, ${meant} by orders and losses`]
  })
}

/**
 * Where the box map of the newest anchor says of a box what its records don't give, or lacks a node on the way to it. A
 * box that is in no anchor yet has nothing to compare. Source: protocol §3 and §4.
 */
const leafDifferences = ({ db }: AuditDeps, row: BoxRow): Promise<string[]> =>
  db.transaction(async (tx) => {
    const [newest] = await tx
      .select({ index: anchors.index, root: anchors.root })
      .from(anchors)
      .orderBy(desc(anchors.index))
      .limit(1)
    if (newest === undefined) return []
    const said = `anchor ${newest.index}`
    try {
      const { leaf } = proveBox(await loadPaths(nodesIn(tx), newest.root, [row.id]), newest.root, row.id)
      if (leaf === null) return []
      if (leaf.count > row.count) return [`${said} has ${leaf.count} records, the box ${row.count}`]
      let head = genesisHead(row.id)
      const written = await rows<{ recordHash: string }>(
        tx,
        sql`select record_hash as "recordHash" from known_records
            where box_id = ${row.id} and seq <= ${leaf.count} order by seq`,
      )
      for (const { recordHash } of written) head = headAfter(head, fromHex(recordHash))
      return toHex(head) === leaf.head
        ? []
        : [`${said} has head ${leaf.head}, and ${leaf.count} records give ${toHex(head)}`]
    } catch (error) {
      if (error instanceof RangeError) return [`${said}: ${error.message}`]
      throw error
    }
  }, ONE_MOMENT)

/** What is left of a weighed box, by which more or less of its products may be sold. */
const leftDifferences = ({ db }: AuditDeps, { id }: BoxRow): Promise<string[]> =>
  db.transaction(async (tx) => {
    const [box] = await tx.select().from(boxes).where(eq(boxes.id, id))
    if (box === undefined) return []
    const left = await gramsLeftAfter(tx, box, [{ kind: 'weight' }])
    return left === box.gramsLeft ? [] : [`${box.gramsLeft} g left, and by its records ${left} g`]
  }, ONE_MOMENT)

const countLeft = (deps: AuditDeps, boxID: string): Promise<unknown> =>
  changeCatalogue(
    deps,
    async (tx) => {
      const gramsLeft = await gramsLeftAfter(tx, await lockBox(tx, boxID), [{ kind: 'weight' }])
      await tx.update(boxes).set({ gramsLeft }).where(eq(boxes.id, boxID))
    },
    undefined,
    { boxes: [boxID] },
  )

/** All that is derived of a box, by its name in reports. */
export const derived: Readonly<Record<string, Derived>> = {
  'what is left': { differences: leftDifferences, rebuild: countLeft },
  figures: { differences: figureDifferences, rebuild: renewProjection },
  excursions: {
    differences: excursionDifferences,
    rebuild: ({ db }, boxID) => rebuildExcursions(db, boxID),
  },
  sales: { differences: saleDifferences },
  'box map': { differences: leafDifferences },
}
