import type { Amount } from './amount.ts'
import { gramsPerUnit, wholeAmount } from './quantity.ts'

/**
 * What must be declared of seafood, in the order in which it is shown; sulphites from 10 mg/kg.
 * Source: Australia New Zealand Food Standards Code, standard 1.2.3; orders.md
 */
export const allergens = ['fish', 'crustacean', 'mollusc', 'sulphites'] as const
export type Allergen = (typeof allergens)[number]

/** Made once, where there is something to join: making one takes longer than all else of a product's card. */
let originList: Intl.ListFormat | undefined

/** 'Australia', 'Australia and New Zealand', 'Origin not stated'. */
export function originText(origin: readonly string[]): string {
  if (origin.length < 2) return origin[0] ?? 'Origin not stated'
  originList ??= new Intl.ListFormat('en-AU')
  return originList.format(origin)
}

/** Grams with thousands apart: '2,050 g'. */
export const gramsText = (grams: number): string => `${grams.toLocaleString('en-AU')} g`

/** Grams as people write them: '450 g', '1.2 kg'. */
export const weightText = (grams: number): string =>
  grams < 1_000 ? `${grams} g` : `${Math.round(grams / 10) / 100} kg`

/** A quantity as people say it: '500 g', '1.25 kg', '3 dozen', '1 piece', '1 bag', '2 × bag'. */
export const unitsText = (quantity: number, unit: string): string =>
  gramsPerUnit(unit) === null ? countText(quantity, unit) : weightText(wholeAmount(unit, quantity))

/** The same of an amount of what is sold by this unit. */
export const boughtText = ({ value, unit: measure }: Amount, unit: string): string =>
  measure === 'grams' ? weightText(value) : countText(value, unit)

function countText(count: number, unit: string): string {
  if (unit === 'each') return `${count} ${count === 1 ? 'piece' : 'pieces'}`
  return count === 1 || unit === 'dozen' ? `${count} ${unit}` : `${count} × ${unit}`
}
