import { type Amount, least, orNone, subtract, sumOf } from './amount.ts'

/** Some of what is ordered of a product, which is sold by this unit; `preparation`: what is done to it. */
type Ordered = {
  product_id: string
  title: string
  unit: string
  amount: Amount
  preparation?: string | undefined
}
/** What is left of a product in a box. */
type InBox = { product_id: string; boxID: string; left: Amount }

/** What to fetch of one product, from which boxes, and how much of it no box has. */
export type PickingLine = Ordered & {
  /** Lines of orders that it adds up. */
  lines: number
  from: { boxID: string; amount: Amount }[]
  /** Whether it comes from boxes at all. */
  isBoxed: boolean
  short: Amount
}

/**
 * Sums ordered lines by product and by what is done to it, by title, and says which boxes to take them from: what one
 * of them takes, the next does not get, and what was ordered by weight comes from none that holds pieces.
 * @param boxes in the order in which they are to be emptied
 */
export function pickingList(ordered: readonly Ordered[], boxes: readonly InBox[]): PickingLine[] {
  const left = boxes.map((box) => ({ ...box }))
  const groups = Map.groupBy(ordered, ({ product_id, unit, preparation = '' }) =>
    [product_id, unit, preparation].join(' '),
  )
  return [...groups.values()]
    .flatMap((lines) => {
      const [first] = lines
      if (first === undefined) return []
      const { unit } = first.amount
      const amount = sumOf(
        unit,
        lines.map((line) => line.amount),
      )
      const own = left.filter(({ product_id }) => product_id === first.product_id)
      const from = takenFrom(
        own.filter(({ left }) => left.unit === unit),
        amount,
      )
      const taken = from.map((one) => one.amount)
      const short = subtract(amount, sumOf(unit, taken))
      return [{ ...first, amount, lines: lines.length, from, isBoxed: own.length > 0, short }]
    })
    .sort((a, b) => a.title.localeCompare(b.title, 'en'))
}

/** Empties boxes one after the other until there is enough. */
function takenFrom(boxes: InBox[], wanted: Amount): PickingLine['from'] {
  let missing = wanted
  return boxes.flatMap((box) => {
    const { boxID, left } = box
    const amount = least(missing, orNone(left))
    missing = subtract(missing, amount)
    box.left = subtract(left, amount)
    return amount.value > 0 ? [{ boxID, amount }] : []
  })
}

/** What a scale says: whole grams, whether the weight has settled, and whether it is with the tare. */
export type ScaleReading = { grams: number; isStable: boolean; isGross: boolean }

const GRAMS_IN: Readonly<Record<string, number>> = { kg: 1_000, g: 1 }
/** Sign, number and unit, as scales write them: '+  1.234 kg', '-0.005kg', '  1234 g'. */
const WEIGHT = /([+-])?\s{0,20}(?<![\d.])(\d{1,7}(?:\.\d{1,4})?)\s{0,20}(kg|g)\b/i
/** Not settled: 'US,…' (A&D, CAS and others), 'S D …' (Mettler Toledo SICS), or a question mark. */
const UNSTABLE = /^\s*(?:US\b|S\s+D\b)|\?/i
/** Of overload, underload and errors. */
const NO_WEIGHT = /^\s*(?:OL|UL|E(?:RR)?\b|S\s+[I+-](?:\s|$))/i

/**
 * Reads a line of a scale that sends continuously. Null: it says no weight of a unit that we know, or that it can't
 * weigh. Fractions of a gram are rounded half up.
 */
export function scaleReading(line: string): ScaleReading | null {
  if (NO_WEIGHT.test(line)) return null
  const [, sign, digits = '', unit = ''] = WEIGHT.exec(line) ?? []
  const factor = GRAMS_IN[unit.toLowerCase()]
  if (factor === undefined) return null
  const grams = Math.round(Number(digits) * factor)
  return {
    grams: sign === '-' && grams > 0 ? -grams : grams,
    isStable: !UNSTABLE.test(line),
    isGross: /^\s*(?:ST|US)\s*,\s*GS\b/i.test(line),
  }
}

/** Longer than any line of a scale: what comes without an end is dropped. */
const MAX_LINE = 200

/** Splits what arrives into whole lines; `rest` is the beginning of the next one. */
export function scaleLines(before: string, arrived: string): { lines: string[]; rest: string } {
  const parts = (before + arrived).split(/[\r\n\u0002\u0003]+/)
  const rest = parts.pop() ?? ''
  return { lines: parts.filter((line) => line.trim() !== ''), rest: rest.length > MAX_LINE ? '' : rest }
}
