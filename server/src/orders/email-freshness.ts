import type { ProductBox } from '@befaqt/domain/catalogue'
import { asOf } from '@befaqt/domain/freshness-facts'
import { boxText } from '@befaqt/domain/freshness-text'
import { freshnessAt, hasFreshness } from '@befaqt/domain/freshness-word'
import { momentText } from '@befaqt/domain/moment-text'
import { boxPath } from '@befaqt/domain/page-paths'
import { preparedTitle } from '@befaqt/domain/preparation'
import { inArray } from 'drizzle-orm'
import { boxOnCard, freshestBoxes } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes as boxTable } from '#server/db/schema/boxes.ts'
import { type Block, rowsOf, text } from '#server/mail/email-content.ts'
import type { OrderDeps } from './order-deps.ts'
import { linesToPack, type WholeOrder } from './order-views.ts'

const EXPECTED =
  'It is not packed yet: this is the freshest that we have of it at the moment. What you get may come from another box. Your order’s page says from which one, once it is packed.'

/**
 * How fresh the fish of orders is, as cards say it now, with the moment at which this is said: an email may be read much
 * later. Of what is packed by its boxes, else by the box that cards show. By the ids of the orders; those of which nothing
 * may be said are left out.
 */
export async function freshnessBlocks(
  tx: Tx,
  deps: OrderDeps,
  wholes: readonly WholeOrder[],
): Promise<Map<string, Block[]>> {
  const { timeZone } = deps.siteFile.market
  const now = asOf(deps.now().getTime(), timeZone)
  const expected = await expectedBoxes(tx, timeZone, wholes)
  const packed = await packedBoxes(tx, timeZone, wholes)
  const at = momentText(new Date(now.at).toISOString(), timeZone)
  return new Map(
    wholes.flatMap((whole): [string, Block[]][] => {
      const open = new Set(linesToPack(whole).filter(({ productId }) => expected.has(productId)))
      const rows = whole.lines.flatMap((line) => {
        if (line.leftOutReason !== null) return []
        const chosen = whole.boxes
          .filter((box) => box.position === line.position)
          .map(({ boxId }) => packed.get(boxId))
        const next = open.has(line) ? expected.get(line.productId) : undefined
        return [...chosen, next].flatMap((box): [string, string][] => {
          if (box === undefined) return []
          const { boxID, coldChain } = box
          const said = boxText({ freshness: freshnessAt(box, now), coldChain }, now.today)
          const title = preparedTitle(line.title, line.preparation?.kind)
          return [[title, `${said} Box ${boxID}: ${deps.config.PUBLIC_URL}${boxPath(boxID)}`.trim()]]
        })
      })
      if (rows.length === 0) return []
      const fresh = [text(`How fresh your fish is, as of ${at}:`), rowsOf(rows)]
      return [[whole.order.id, open.size > 0 ? [...fresh, text(EXPECTED)] : fresh]]
    }),
  )
}

/** The boxes that cards show of what is to be packed, by product. */
async function expectedBoxes(
  tx: Tx,
  timeZone: string,
  wholes: readonly WholeOrder[],
): Promise<Map<string, ProductBox>> {
  const ids = new Set(wholes.flatMap(linesToPack).map(({ productId }) => productId))
  return ids.size === 0 ? new Map() : freshestBoxes(tx, timeZone, [...ids])
}

/** What cards would show of the boxes that orders are packed from, without those that nothing may be said of. */
async function packedBoxes(
  tx: Tx,
  timeZone: string,
  wholes: readonly WholeOrder[],
): Promise<Map<string, ProductBox>> {
  const boxes = wholes.flatMap((whole) => whole.boxes)
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
