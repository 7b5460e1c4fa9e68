import type { ProductBox } from '@befaqt/domain/catalogue'
import { asOf } from '@befaqt/domain/freshness-facts'
import { boxText } from '@befaqt/domain/freshness-text'
import { freshnessAt, hasFreshness } from '@befaqt/domain/freshness-word'
import { momentText } from '@befaqt/domain/moment-text'
import { boxPath } from '@befaqt/domain/page-paths'
import { inArray } from 'drizzle-orm'
import { boxOnCard, freshestBoxes } from '#server/catalogue/box-cards.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes as boxTable } from '#server/db/schema/boxes.ts'
import { type Block, rowsOf, text } from '#server/mail/email-content.ts'
import type { OrderDeps } from './order-deps.ts'
import { linesToPack, type WholeOrder } from './order-views.ts'

const EXPECTED =
  'It is not packed yet: this is the freshest that we have of it at the moment. What you get may come from another box. Your order’s page says from which one, once it is packed.'

/**
 * How fresh the fish of an order is, as cards say it now, with the moment at which this is said: an email may be read
 * much later. Of what is packed by its boxes, else by the box that cards show. Nothing where nothing may be said.
 */
export async function freshnessBlocks(tx: Tx, deps: OrderDeps, whole: WholeOrder): Promise<Block[]> {
  const { timeZone } = deps.siteFile.market
  const now = asOf(deps.now().getTime(), timeZone)
  const expected = await expectedByPosition(tx, timeZone, whole)
  const packed = await packedBoxes(tx, timeZone, whole)
  const rows = whole.lines.flatMap(({ position, title, leftOutReason }) => {
    if (leftOutReason !== null) return []
    const chosen = whole.boxes
      .filter((box) => box.position === position)
      .map(({ boxId }) => packed.get(boxId))
    return [...chosen, expected.get(position)].flatMap((box): [string, string][] => {
      if (box === undefined) return []
      const { boxID, coldChain } = box
      const said = boxText({ freshness: freshnessAt(box, now), coldChain }, now.today)
      return [[title, `${said} Box ${boxID}: ${deps.config.PUBLIC_URL}${boxPath(boxID)}`.trim()]]
    })
  })
  if (rows.length === 0) return []
  const at = momentText(new Date(now.at).toISOString(), timeZone)
  return [
    text(`How fresh your fish is, as of ${at}:`),
    rowsOf(rows),
    ...(expected.size > 0 ? [text(EXPECTED)] : []),
  ]
}

/** The boxes that cards show of what is to be packed, by the positions of its lines. */
async function expectedByPosition(
  tx: Tx,
  timeZone: string,
  whole: WholeOrder,
): Promise<Map<number, ProductBox>> {
  const lines = linesToPack(whole)
  if (lines.length === 0) return new Map()
  const ids = lines.map(({ productId }) => productId)
  const freshest = await freshestBoxes(tx, timeZone, ids)
  return new Map(
    lines.flatMap(({ position, productId }) => {
      const box = freshest.get(productId)
      return box === undefined ? [] : [[position, box]]
    }),
  )
}

/** What cards would show of the boxes that an order is packed from, without those that nothing may be said of. */
async function packedBoxes(
  tx: Tx,
  timeZone: string,
  { boxes }: WholeOrder,
): Promise<Map<string, ProductBox>> {
  if (boxes.length === 0) return new Map()
  const { id, summary, recallId, offSaleAt } = boxTable
  const ids = [...new Set(boxes.map(({ boxId }) => boxId))]
  const found = await tx
    .select({ id, summary, recallId, offSaleAt })
    .from(boxTable)
    .where(inArray(boxTable.id, ids))
  return new Map(
    found.flatMap((row) => {
      const maySay = hasFreshness({ recall: row.recallId, offSale: row.offSaleAt !== null })
      const box = maySay ? boxOnCard(row, timeZone) : null
      return box === null ? [] : [[row.id, box]]
    }),
  )
}
