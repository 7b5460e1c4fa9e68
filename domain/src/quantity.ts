import { MAX_STOCK } from './limits.ts'

/** Grams in one unit of products that are sold by weight. */
const gramsOf: Readonly<Record<string, number>> = { kg: 1_000, '100g': 100, g: 1 }

/** Grams in one of this unit; null: it is not a unit of weight, and such products are counted. */
export const gramsPerUnit = (unit: string): number | null => {
  const name = unit.replace(/\s/g, '').toLowerCase()
  return Object.hasOwn(gramsOf, name) ? (gramsOf[name] ?? null) : null
}

/** Kilograms by which a product can be bought that is sold by the kilogram. */
export const kiloSteps: readonly number[] = [0.1, 0.25, 0.5, 1]
export const USUAL_STEP = 0.25

/** What quantities of a product are multiples of, in its units: its own step by the kilogram, else one unit. */
export const stepOf = ({ unit, step = USUAL_STEP }: { unit: string; step?: number | undefined }): number =>
  gramsPerUnit(unit) === 1_000 ? step : 1

/** A quantity in whole thousandths of a unit, in which it is added and compared: fractions of 2 have no exact tenth. */
export const thousandths = (quantity: number): number => Math.round(quantity * 1_000)

/** The sum of quantities, exact. */
export const plus = (one: number, other: number): number => (thousandths(one) + thousandths(other)) / 1_000

/** A quantity in another unit: 2 kg are 20 of 100 g. Null: nobody knows, as how much of a kilogram a bag is. */
export function inUnit(quantity: number, from: string, to: string): number | null {
  if (from === to) return quantity
  const [grams, each] = [gramsPerUnit(from), gramsPerUnit(to)]
  return grams === null || each === null ? null : Math.floor((thousandths(quantity) * grams) / each) / 1_000
}

/** Grams of so many units, or pieces of what is counted. Parts are dropped. */
export const wholeAmount = (unit: string, quantity: number): number =>
  Math.floor((thousandths(quantity) * (gramsPerUnit(unit) ?? 1)) / 1_000)

/** The largest multiple of a step that is not above a quantity. */
export function downTo(step: number, quantity: number): number {
  const all = thousandths(quantity)
  return (all - (all % thousandths(step))) / 1_000
}

/**
 * The quantity that was typed, a multiple of the step or 0; null: it is none. Digits and a point: with a comma nobody
 * knows whether 1,5 is one and a half or fifteen.
 */
export function typedQuantity(typed: string, step: number): number | null {
  const quantity = /^\s*(\d+|\d*\.\d{1,3})\s*$/.test(typed) ? Number(typed) : Number.NaN
  return downTo(step, quantity) === quantity ? quantity : null
}

/** Has it at most three decimals? */
export const isInThousandths = (quantity: number): boolean => thousandths(quantity) / 1_000 === quantity

/** Can it be ordered: more than nothing, in whole thousandths, and not more than there can be in stock? */
export const isQuantity = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_STOCK && isInThousandths(value)
