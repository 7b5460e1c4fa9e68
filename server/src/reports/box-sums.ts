import { type Amount, amountIn, amountOf } from '@befaqt/domain/amount'
import { type FreshnessWord, freshnessWords } from '@befaqt/domain/freshness-word'
import { marketDate } from '@befaqt/domain/market-time'
import { sql } from 'drizzle-orm'
import { type Db, ONE_MOMENT, rows, type Tx } from '#server/db/client.ts'
import { eventKinds } from '#server/db/events.ts'
import { boxSums } from '#server/db/schema/reports.ts'
import { type Projection, waitingFor } from './projection.ts'

export type BoxSumDeps = { db: Db; siteFile: { market: { timeZone: string } } }

/** What became of the fish in boxes: bought, sold, lost, and how fresh it was when it was sold. */
export const boxes = ({ siteFile }: Pick<BoxSumDeps, 'siteFile'>): Projection => ({
  name: 'reports.boxes',
  of: 'boxes',
  kind: eventKinds.boxTraded,
  tables: sql`box_sums`,
  async apply(tx, ids) {
    await rows(tx, sql`delete from box_sums where box_id = any(${sql.param([...ids])}::text[])`)
    const sums = await sumsOf(tx, ids, siteFile.market.timeZone)
    if (sums.length > 0) await tx.insert(boxSums).values(sums)
  },
})

export type BoxSum = typeof boxSums.$inferSelect

/** The column of what was sold at that freshness. */
const columnOf = {
  excellent: 'excellent',
  good: 'good',
  'use soon': 'useSoon',
  'past its best': 'over',
} as const satisfies Record<FreshnessWord, keyof BoxSum>

type Counted = {
  id: string
  createdAt: string
  of: 'bought' | 'sold' | 'lost'
  unit: string
  amount: number
  word: string | null
}

/** What these boxes come to, as they are now: a row for what is weighed, and one for what is counted. */
async function sumsOf(tx: Tx, ids: readonly string[], timeZone: string): Promise<BoxSum[]> {
  const among = sql`any(${sql.param([...ids])}::text[])`
  const found = await rows<Counted>(
    tx,
    sql`select b.id, to_char(b.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt",
          c.of, c.unit, c.amount, c.word
        from boxes b join (
          select box_id, 'bought' as of, unit, quantity::float8 as amount, null as word from product_boxes
            where box_id = ${among}
          union all
          select lb.box_id, 'sold', l.unit, sum(lb.amount)::float8, lb.word
            from order_line_boxes lb join order_lines l on l.order_id = lb.order_id and l.position = lb.position
            where lb.box_id = ${among} group by lb.box_id, l.unit, lb.word
          union all
          select box_id, 'lost', unit, sum(amount)::float8, null from box_losses
            where box_id = ${among} group by box_id, unit
        ) c on c.box_id = b.id
        order by b.id, c.of, c.unit`,
  )
  const sums = new Map<string, BoxSum>()
  for (const one of found) {
    const amount = one.of === 'bought' ? amountOf(one.unit, one.amount) : amountIn(one.unit, one.amount)
    const { measure, value } = measured(amount)
    const key = `${measure} ${one.id}`
    const sum = sums.get(key) ?? {
      ...{ boxId: one.id, measure, day: marketDate(Date.parse(one.createdAt), timeZone) },
      ...{ bought: 0, sold: 0, lost: 0, excellent: 0, good: 0, useSoon: 0, over: 0 },
    }
    sum[one.of] += value
    const word = freshnessWords.find((known) => known === one.word)
    if (word !== undefined) sum[columnOf[word]] += value
    sums.set(key, sum)
  }
  return [...sums.values()]
}

const A_DOZEN = 12

/** Grams, or pieces: a dozen is twelve. */
export const measured = ({ value, unit }: Amount): { measure: BoxSum['measure']; value: number } => ({
  measure: unit === 'grams' ? 'grams' : 'pieces',
  value: unit === 'dozens' ? value * A_DOZEN : value,
})

/** Boxes that are compared at once. */
const PART = 500

/** Compares the sums of boxes with a scan of what was bought, sold and lost. In sentences; none: they agree. */
export async function* diffBoxes({ db, siteFile }: BoxSumDeps): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const ids = await rows<{ id: string }>(
      db,
      sql`select id from boxes where id > ${last} union select box_id from box_sums where box_id > ${last}
          order by id limit ${PART}`,
    ).then((found) => found.map(({ id }) => id))
    const wrong = await db.transaction(async (tx) => {
      const waiting = new Set(await waitingFor(tx, boxes({ siteFile })))
      const stored = await tx
        .select()
        .from(boxSums)
        .where(sql`${boxSums.boxId} = any(${sql.param(ids)}::text[])`)
      const right = (await sumsOf(tx, ids, siteFile.market.timeZone)).map(textOf)
      const shown = stored.map(textOf)
      const differs = [
        ...right.filter((text) => !shown.includes(text)),
        ...shown.filter((text) => !right.includes(text)),
      ].map((text) => text.split('\n')[0] ?? '')
      return [...new Set(differs)].filter((id) => !waiting.has(id))
    }, ONE_MOMENT)
    for (const id of wrong) yield `box ${id} is in reports otherwise than its rows say`
    last = ids.at(-1) ?? ''
    if (ids.length < PART) return
  }
}

const textOf = ({
  boxId,
  measure,
  day,
  bought,
  sold,
  lost,
  excellent,
  good,
  useSoon,
  over,
}: BoxSum): string => [boxId, measure, day, bought, sold, lost, excellent, good, useSoon, over].join('\n')
