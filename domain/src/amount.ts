import { gramsPerUnit, plus, wholeAmount } from './quantity.ts'

/** What amounts are whole numbers of: grams of what is sold by weight, dozens, or pieces by any other unit. */
export const measures = ['grams', 'pieces', 'dozens'] as const
export type Measure = (typeof measures)[number]

/**
 * So much of a product, with what it is a number of. Two of different measures are never added or compared: where they
 * are known that does not compile, and where they come from rows or answers it throws.
 */
export type Amount<M extends Measure = Measure> = { readonly value: number; readonly unit: M }

export const amount = <M extends Measure>(value: number, unit: M): Amount<M> => ({ value, unit })

/** What a product counts in that is sold by this unit. */
export function measureOf(unit: string): Measure {
  if (gramsPerUnit(unit) !== null) return 'grams'
  return unit.trim().toLowerCase() === 'dozen' ? 'dozens' : 'pieces'
}

/** A number as rows and answers hold it, beside the product's unit: grams of what is sold by weight, else how many. */
export const amountIn = (unit: string, value: number): Amount => amount(value, measureOf(unit))

/** So many units of a product: 1.5 kg are 1,500 grams. Parts of a gram or a piece are dropped. */
export const amountOf = (unit: string, quantity: number): Amount =>
  amountIn(unit, wholeAmount(unit, quantity))

/** How many units of a product that is, to a thousandth: 1,500 grams are 1.5 kg. @throws TypeError for another measure */
export function unitsOf(unit: string, { value, unit: measure }: Amount): number {
  assertSame(measureOf(unit), measure)
  return Math.floor((value * 1_000) / (gramsPerUnit(unit) ?? 1)) / 1_000
}

function assertSame(one: Measure, other: Measure): void {
  if (one !== other) throw new TypeError(`${other} can't be reckoned with ${one}`)
}

/** @throws TypeError for two measures, as all below */
export function add<M extends Measure>(one: Amount<M>, other: Amount<NoInfer<M>>): Amount<M> {
  assertSame(one.unit, other.unit)
  return amount(one.value + other.value, one.unit)
}

/** What is left of one amount without another: less than nothing where that is more. */
export const subtract = <M extends Measure>(one: Amount<M>, other: Amount<NoInfer<M>>): Amount<M> =>
  add(one, amount(-other.value, other.unit))

/** Above 0: the one is more; below 0: the other. */
export const compare = <M extends Measure>(one: Amount<M>, other: Amount<NoInfer<M>>): number =>
  subtract(one, other).value

/** The smaller of two. */
export const least = <M extends Measure>(one: Amount<M>, other: Amount<NoInfer<M>>): Amount<M> =>
  compare(one, other) <= 0 ? one : other

/** The amount, or nothing where it is less than that. */
export const orNone = <M extends Measure>({ value, unit }: Amount<M>): Amount<M> =>
  amount(Math.max(0, value), unit)

/** All of them together; nothing of that measure when there are none. */
export const sumOf = <M extends Measure>(unit: M, amounts: readonly Amount<NoInfer<M>>[]): Amount<M> =>
  amounts.reduce<Amount<M>>((sum, one) => add(sum, one), amount(0, unit))

/** Those of this measure. */
export const only = <M extends Measure>(unit: M, amounts: readonly Amount[]): Amount<M>[] =>
  amounts.filter((one): one is Amount<M> => one.unit === unit)

/** Units of a cancelled line that may be sold again, when `lost` of it may not. */
export const unitsBack = (line: { unit: string; quantity: number }, lost: Amount): number =>
  Math.max(0, plus(line.quantity, -unitsOf(line.unit, lost)))

/** What is left of a box: in − sold − lost. */
export const leftInBox = <M extends Measure>(amounts: {
  in: Amount<M>
  sold: Amount<NoInfer<M>>
  lost: Amount<NoInfer<M>>
}): Amount<M> => subtract(subtract(amounts.in, amounts.sold), amounts.lost)
