import {
  type Amount,
  amount,
  amountIn,
  amountOf,
  compare,
  least,
  measureOf,
  orNone,
  subtract,
  sumOf,
} from '@befaqt/domain/amount'
import type { ManagedOrder, PackingBox } from '@befaqt/domain/api/order-api'
import { withCoupon } from '@befaqt/domain/coupon'
import { MAX_ORDER_GRAMS } from '@befaqt/domain/limits'
import { cents } from '@befaqt/domain/money'
import type { PackedLines } from '@befaqt/domain/order'
import { invoiceTotals } from '@befaqt/domain/order-documents'
import { orderLineTotals } from '@befaqt/domain/order-totals'
import { parseNumber } from '@befaqt/domain/typed-number'
import { boxNumber } from '#web/features/box/find/box-number.ts'

export type OrderLine = ManagedOrder['lines'][number]

/** What is typed for one line, as text. `scale`: the one that the weight was read from, '' when it was typed. */
export type TypedLine = {
  grams: string
  scale: string
  boxes: readonly { boxID: string; amount: string }[]
  /** Why it is from no box; null: that was not chosen. */
  noBox: string | null
}

/** What is typed for all lines, by position. */
export type TypedLines = Readonly<Record<number, TypedLine>>

/** What an order says was packed, as it would be typed. */
export const typedOf = (line: OrderLine, noBox: string | null = null): TypedLine => ({
  grams: line.finalGrams === null ? '' : String(line.finalGrams),
  scale: '',
  boxes: line.boxes.map(({ boxID, amount }) => ({ boxID, amount: String(amount) })),
  noBox,
})

/** What is typed of each line that is in the order, as it is saved. */
export const typedLines = (lines: readonly OrderLine[], noBox: ManagedOrder['noBox'] = []): TypedLines =>
  Object.fromEntries(lines.map((line) => [line.position, typedOf(line, noBoxOf(line, noBox))]))

/** Why a line is from no box, as it is saved. */
export const noBoxOf = ({ position }: OrderLine, noBox: ManagedOrder['noBox']): string | null =>
  noBox.find((one) => one.position === position)?.reason ?? null

/** Is a line typed as it is saved, in whatever way that is written? Who typed it on which scale does not count. */
export const isUnchanged = (line: OrderLine, typed: TypedLine, noBox: string | null = null): boolean => {
  const isSame = (text: string, saved: number | null) =>
    saved === null ? text.trim() === '' : typedGrams(text) === saved
  return (
    noBox === typed.noBox &&
    isSame(typed.grams, line.finalGrams) &&
    typed.boxes.length === line.boxes.length &&
    typed.boxes.every(({ boxID, amount }, i) => {
      const saved = line.boxes[i]
      return saved !== undefined && saved.boxID === boxID && isSame(amount, saved.amount)
    })
  )
}

/** Whole grams of a typed weight: '2050', '2,050 g', '2.05 kg'; null: it is none. */
export function typedGrams(text: string): number | null {
  const typed = text.trim()
  const unit = /(?:kg|g)$/i.exec(typed)?.[0] ?? ''
  const amount = parseNumber(typed.slice(0, typed.length - unit.length).trimEnd())
  if (typeof amount !== 'number') return null
  const grams = unit.toLowerCase() === 'kg' ? Math.round(amount * 1_000) : amount
  return Number.isInteger(grams) && grams >= 1 && grams <= MAX_ORDER_GRAMS ? grams : null
}

/** So much of what is sold by this unit, as typed: grams or kilograms of what is weighed, a number of what is counted. */
export function typedAmount(text: string, unit: string): Amount | null {
  const value = typedGrams(text)
  const measure = measureOf(unit)
  const isWeight = /g$/i.test(text.trim())
  return value === null || (isWeight && measure !== 'grams') ? null : amount(value, measure)
}

/** What a line amounts to as typed: its net weight, or as many as were ordered; null: not weighed yet. */
export function packedAmount(line: OrderLine, typed: TypedLine): Amount | null {
  if (line.orderedGrams === null) return amountOf(line.unit, line.quantity)
  const grams = typedGrams(typed.grams)
  return grams === null ? null : amount(grams, 'grams')
}

/** What is still to be taken from boxes; negative: too much. Amounts that are none count as nothing. */
export const missing = (line: OrderLine, typed: TypedLine): Amount =>
  subtract(
    packedAmount(line, typed) ?? amountIn(line.unit, 0),
    sumOf(
      measureOf(line.unit),
      typed.boxes.flatMap(({ amount }) => typedAmount(amount, line.unit) ?? []),
    ),
  )

/** What a box has left for a line; null: nobody knows. */
type Left = (boxID: string) => Amount | null

/** What is wrong with a line as typed: its weight, its boxes by their place, their sum. */
export function lineErrors(line: OrderLine, typed: TypedLine, left: Left, isBoxed = false) {
  const isWeighed = packedAmount(line, typed) !== null
  const { value: rest, unit: measure } = missing(line, typed)
  const boxes = typed.boxes.map(({ boxID, amount }) => {
    const taken = typedAmount(amount, line.unit)
    if (taken === null) return `must be whole ${measure}`
    const most = left(boxID)
    if (most === null || compare(taken, most) <= 0) return undefined
    return `only ${most.value.toLocaleString('en-AU')} left in this box`
  })
  const isOff = isWeighed && typed.boxes.length > 0 && rest !== 0 && boxes.every((error) => !error)
  return {
    grams: isWeighed ? undefined : 'must be a weight in grams, like 2050 or 2.05 kg',
    boxes,
    noBox:
      typed.boxes.length === 0 && (isBoxed || typed.noBox !== null) && (typed.noBox ?? '').trim() === ''
        ? typed.noBox === null
          ? 'Name the box it is from.'
          : 'reason is required'
        : undefined,
    sum: isOff
      ? `The boxes are ${Math.abs(rest).toLocaleString('en-AU')} ${measure} ${rest > 0 ? 'short' : 'over'}.`
      : undefined,
  }
}

export const hasErrors = ({ grams, boxes, sum, noBox }: ReturnType<typeof lineErrors>): boolean =>
  Boolean(grams || sum || noBox || boxes.some(Boolean))

/** A line with one more box, which gives what is missing, as far as it has it. */
export function withBox(line: OrderLine, typed: TypedLine, boxID: string, left: Amount | null): TypedLine {
  if (typed.boxes.some((box) => box.boxID === boxID)) return typed
  const rest = missing(line, typed)
  const { value } = orNone(left === null ? rest : least(rest, left))
  return {
    ...typed,
    noBox: null,
    boxes: [...typed.boxes, { boxID, amount: value > 0 ? String(value) : '' }],
  }
}

/** The address in a label's code, at the end of what a scanner typed. */
const LABEL = /https?:\/\/\S{1,300}$/i
/** No weight has so many digits: what ends with them is a box's number. */
const NUMBER = /\d{8,64}$/

/**
 * Takes apart what is in the field of a weight when Enter is pressed: a scanner types what a label says behind what is
 * there, then presses Enter. `boxID`: the box that was scanned, null: none.
 * @param boxes that the line may come from: their numbers are known whatever they look like
 */
export function weightAndBox(
  text: string,
  boxes: readonly { boxID: string }[],
): { grams: string; boxID: string | null } {
  const typed = text.trim()
  const known = boxes.find(({ boxID }) => typed.endsWith(boxID))?.boxID
  const scanned =
    LABEL.exec(typed)?.[0] ?? (typedGrams(typed) === null ? (known ?? NUMBER.exec(typed)?.[0]) : undefined)
  if (scanned === undefined) return { grams: typed, boxID: null }
  return { grams: typed.slice(0, typed.length - scanned.length).trimEnd(), boxID: boxNumber(scanned) }
}

/** A line from the box that was scanned: in place of those it has, or beside them where they don't give enough. */
export function withScannedBox(
  line: OrderLine,
  typed: TypedLine,
  boxID: string,
  left: Amount | null,
): TypedLine {
  const [only, ...others] = typed.boxes
  const isIn = typed.boxes.some((box) => box.boxID === boxID)
  if (isIn && others.length > 0) return typed
  const isBeside = !isIn && only !== undefined && missing(line, typed).value > 0
  return withBox(line, isBeside ? typed : { ...typed, boxes: [] }, boxID, left)
}

/** A line with another weight. A single box that gave all of it gives all of the new one. */
export function withWeight(line: OrderLine, typed: TypedLine, grams: string, scale: string): TypedLine {
  const changed = { ...typed, grams, scale }
  const [only, ...others] = typed.boxes
  const gaveAll = only && others.length === 0 && missing(line, typed).value === 0
  const now = typedGrams(grams)
  return gaveAll && now !== null ? { ...changed, boxes: [{ ...only, amount: String(now) }] } : changed
}

/**
 * A line whose weight was typed, with boxes for all of it, first expired, first out: those that it had no say in yet,
 * and that is not said to be from no box.
 */
export function withEarliest(line: OrderLine, typed: TypedLine, boxes: readonly BoxOfLine[]): TypedLine {
  if (typed.boxes.length > 0 || typed.noBox !== null || packedAmount(line, typed) === null) return typed
  return boxes
    .filter(({ left }) => left.value > 0)
    .reduce(
      (now, { boxID, left }) => (missing(line, now).value > 0 ? withBox(line, now, boxID, left) : now),
      typed,
    )
}

/**
 * A line that is weighed, by hand or by a scale, with boxes for all of it. Those that it has because they are the
 * earliest are chosen anew: while a weight is typed, its first digits need less than its last.
 */
export function reweighed(
  line: OrderLine,
  typed: TypedLine,
  by: { grams: string; scale: string },
  boxes: readonly BoxOfLine[],
): TypedLine {
  const earliest = withEarliest(line, { ...typed, boxes: [] }, boxes).boxes
  const isEarliest = JSON.stringify(earliest) === JSON.stringify(typed.boxes)
  const weighed = isEarliest ? { ...typed, ...by, boxes: [] } : withWeight(line, typed, by.grams, by.scale)
  return withEarliest(line, weighed, boxes)
}

/** What is sent of the lines that are typed otherwise than saved. */
export const packedLines = (
  lines: readonly OrderLine[],
  typed: TypedLines,
  noBox: ManagedOrder['noBox'] = [],
): PackedLines['lines'] =>
  lines.flatMap((line) => {
    const now = typed[line.position]
    if (now === undefined || isUnchanged(line, now, noBoxOf(line, noBox))) return []
    const grams = line.orderedGrams === null ? null : typedGrams(now.grams)
    return [
      {
        position: line.position,
        ...(grams !== null && { grams }),
        ...(grams !== null && now.scale !== '' && { scale: now.scale }),
        boxes: now.boxes.map(({ boxID, amount }) => ({
          boxID,
          amount: typedAmount(amount, line.unit)?.value ?? 0,
        })),
        ...(now.boxes.length === 0 && now.noBox !== null && { noBox: now.noBox.trim() }),
      },
    ]
  })

/** The total in cents as typed: of what is weighed where it is, else of what was ordered. */
export function typedTotal(
  { lines, totals, coupon }: Pick<ManagedOrder, 'lines' | 'totals' | 'coupon'>,
  typed: TypedLines,
): number {
  const sums = lines.map((line) => {
    const grams = typedGrams(typed[line.position]?.grams ?? '')
    const quantity = line.leftOut === null ? line.quantity : 0
    const priced = { ...line, quantity, priceCents: cents(line.price) }
    return {
      ...orderLineTotals(priced, line.orderedGrams === null ? null : grams),
      includeGST: line.includeGST,
      productId: line.product_id,
      ordered: orderLineTotals({ ...line, priceCents: cents(line.price) }, null).total,
    }
  })
  return invoiceTotals(withCoupon(sums, coupon ?? null), cents(totals.delivery)).total
}

/** The boxes of an order without what its other lines are typed to take of the same product. */
export function boxesBeside(
  line: OrderLine,
  { lines, boxes }: Pick<ManagedOrder, 'lines' | 'boxes'>,
  typed: TypedLines,
): PackingBox[] {
  const others = lines.filter(
    ({ position, product_id, leftOut }) =>
      product_id === line.product_id && position !== line.position && leftOut === null,
  )
  return boxes.map((box) => {
    if (box.product_id !== line.product_id) return box
    const taken = others.flatMap(({ position, unit }) =>
      (typed[position]?.boxes ?? []).flatMap(({ boxID, amount }) =>
        boxID === box.boxID && measureOf(unit) === box.counted ? (typedAmount(amount, unit)?.value ?? 0) : [],
      ),
    )
    return { ...box, left: taken.reduce((left, value) => Math.max(0, left - value), box.left) }
  })
}

/** A box that a line may come from. */
export type BoxOfLine = Pick<PackingBox, 'boxID' | 'bestBy'> & { left: Amount }

/** Boxes that a line may come from: those that hold its product in what the line counts. */
export const boxesOf = (line: OrderLine, boxes: readonly PackingBox[]): BoxOfLine[] =>
  boxes
    .filter(({ product_id, counted }) => product_id === line.product_id && counted === measureOf(line.unit))
    .map(({ boxID, bestBy, left, counted }) => ({ boxID, bestBy, left: amount(left, counted) }))
