/* How fish that is bought whole may be prepared. Free of the schema library, so that pages may load it early. */
import { type Cents, centsFromDecimal } from './money.ts'
import { gramsPerUnit } from './quantity.ts'
import type { PreparedKind } from './statuses.ts'

/**
 * What can be chosen of a product, in the order in which it is shown. `usualYield`: percent of the whole fish that is
 * left, which a product may state otherwise. Whole is what all else begins with: it costs nothing and is always offered.
 */
export const preparations: Readonly<
  Record<'whole' | PreparedKind, { name: string; text: string; usualYield: number }>
> = {
  whole: { name: 'Whole', text: 'as it was landed', usualYield: 100 },
  gutted: { name: 'Gilled and gutted', text: 'head, skin and bones stay', usualYield: 85 },
  'skin-on': { name: 'Fillets, skin on', text: 'off the bone', usualYield: 50 },
  'skin-off': { name: 'Fillets, skin off', text: 'off the bone, without skin', usualYield: 45 },
}

/**
 * A preparation that a product is offered with, or a line was ordered with. `yieldPercent`: what is left of it, in percent
 * of what is bought whole; `feeCents`: what it adds to the price of one unit, before discount.
 */
export type Preparation = { kind: PreparedKind; yieldPercent: number; feeCents: number }

/** Is a product of this unit bought as whole fish: by the kilogram, or by the piece? */
export const takesPreparation = (unit: string): boolean => gramsPerUnit(unit) === 1_000 || unit === 'each'

/** Why a product may not be offered with what it is; null: it may. */
export const preparationsError = (product: {
  unit: string
  preparations: readonly unknown[]
}): string | null =>
  product.preparations.length === 0 || takesPreparation(product.unit)
    ? null
    : 'are for what is sold by the kg or as each: take them out'

/** The preparation of this kind that a product is offered with; undefined: it is sold whole. */
export const offered = (
  { preparations }: { preparations: readonly Preparation[] },
  kind: string | undefined,
): Preparation | undefined => preparations.find((one) => one.kind === kind)

/** Price of one unit of a product, prepared, before discount: one price, on which discount, weight and coupon work. */
export const preparedPrice = (price: number, preparation: Preparation | undefined): Cents =>
  (centsFromDecimal(price) + (preparation?.feeCents ?? 0)) as Cents

/**
 * Today's preparation of a line that was ordered with one: with the fee of today, or the agreed one where it is not
 * offered any more.
 */
export const preparedToday = (
  product: { preparations: readonly Preparation[] },
  agreed: Preparation | null | undefined,
): Preparation | undefined => (agreed ? (offered(product, agreed.kind) ?? agreed) : undefined)

/** What a unit of a line costs that is prepared otherwise than agreed: the fish as it was agreed, with the other fee. */
export const preparedAnew = (
  { priceCents, preparation: agreed }: { priceCents: number; preparation?: Preparation | null | undefined },
  preparation: Preparation | null | undefined,
): Cents => (priceCents - (agreed?.feeCents ?? 0) + (preparation?.feeCents ?? 0)) as Cents

/** The name of a product with what is done to it: 'Snapper (fillets, skin off)'. */
export function preparedTitle(title: string, kind: string | undefined): string {
  const name = nameOf(kind)
  return name === undefined ? title : `${title} (${name.charAt(0).toLowerCase()}${name.slice(1)})`
}

/** What a preparation is called; undefined: it is none, and the fish stays whole. */
export const nameOf = (kind: string | undefined): string | undefined =>
  kind !== undefined && kind !== 'whole' && Object.hasOwn(preparations, kind)
    ? preparations[kind as PreparedKind].name
    : undefined

/** What is left of fish that is bought whole: 'about 450 g of each kilogram'; of what is counted 'about 45% of its weight'. */
export const yieldText = (unit: string, yieldPercent: number): string =>
  gramsPerUnit(unit) === 1_000
    ? `about ${yieldPercent * 10} g of each kilogram`
    : `about ${yieldPercent}% of its weight`

/** A product's preparations as forms and files have them: 'gutted 85% 2.00, skin-off 45% 4.00'. */
export const preparationsText = (all: readonly Preparation[]): string =>
  all
    .map(({ kind, yieldPercent, feeCents }) => `${kind} ${yieldPercent}% ${(feeCents / 100).toFixed(2)}`)
    .join(', ')
