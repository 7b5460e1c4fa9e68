import { marketTime } from '@befaqt/domain/market-time'
import { addRecords } from '#server/boxes/records/add-records.ts'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import type { Locks } from '#server/db/lock.ts'
import { amountData } from '#server/orders/box-sales.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import type { WholeOrder } from '#server/orders/order-views.ts'

/**
 * Records in each box what was packed from it, without the buyer. What comes back to a box that has been
 * sealed meanwhile is not recorded: its history has ended. Returns whether the public catalogue changed.
 * @param who actor id
 */
export async function recordSales(
  tx: CatalogueTx,
  locks: Locks<'boxes'>,
  deps: OrderDeps,
  who: string,
  { lines, boxes }: WholeOrder,
  more: { returned?: true },
): Promise<boolean> {
  const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
  const byBox = Map.groupBy(boxes, ({ boxId }) => boxId)
  const [held] = await locks.boxes(byBox.keys())
  let changed = false
  for (const [boxID, parts] of byBox) {
    if (more.returned && held.get(boxID)?.sealed) continue
    const facts = parts.flatMap(({ position, amount }) => {
      const line = lines.find((one) => one.position === position)
      if (line === undefined) return []
      const data = { ...amountData(line.title, line.unit, amount), ...more }
      return [{ kind: 'sale' as const, at, by: who, data, changesFreshness: false }]
    })
    const { onCards } = await addRecords(tx, deps, boxID, facts)
    changed ||= onCards
  }
  return changed
}
