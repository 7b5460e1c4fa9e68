/** Some of what is ordered of a product: grams, or pieces of what is counted. */
type Ordered = { product_id: string; title: string; unit: string; amount: number }
/** What is left of a product in a box, in the same measure. */
type InBox = { product_id: string; boxID: string; left: number }

/** What to fetch of one product, from which boxes, and how much of it no box has. */
export type PickingLine = Ordered & {
  /** Lines of orders that it adds up. */
  lines: number
  from: { boxID: string; amount: number }[]
  /** Whether it comes from boxes at all. */
  isBoxed: boolean
  short: number
}

/**
 * Sums ordered lines by product, by title, and says which boxes to take them from.
 * @param boxes in the order in which they are to be emptied
 */
export function pickingList(ordered: readonly Ordered[], boxes: readonly InBox[]): PickingLine[] {
  const byProduct = Map.groupBy(ordered, ({ product_id, unit }) => `${product_id} ${unit}`)
  return [...byProduct.values()]
    .flatMap((lines) => {
      const [first] = lines
      if (first === undefined) return []
      const amount = lines.reduce((sum, line) => sum + line.amount, 0)
      const own = boxes.filter(({ product_id }) => product_id === first.product_id)
      const from = takenFrom(own, amount)
      const short = amount - from.reduce((sum, taken) => sum + taken.amount, 0)
      return [{ ...first, amount, lines: lines.length, from, isBoxed: own.length > 0, short }]
    })
    .sort((a, b) => a.title.localeCompare(b.title, 'en'))
}

/** Empties boxes one after the other until there is enough. */
function takenFrom(boxes: readonly InBox[], wanted: number): PickingLine['from'] {
  let missing = wanted
  return boxes.flatMap(({ boxID, left }) => {
    const amount = Math.min(missing, Math.max(0, left))
    missing -= amount
    return amount > 0 ? [{ boxID, amount }] : []
  })
}
