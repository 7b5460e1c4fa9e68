import { weightText } from './labelling.ts'
import { gramsPerUnit, wholeAmount } from './quantity.ts'

/** A quantity as people say it: '500 g', '1.25 kg', '3 dozen', '1 piece', '1 bag', '2 × bag'. */
export function unitsText(quantity: number, unit: string): string {
  if (gramsPerUnit(unit) !== null) return weightText(wholeAmount(unit, quantity))
  if (unit === 'each') return `${quantity} ${quantity === 1 ? 'piece' : 'pieces'}`
  return quantity === 1 || unit === 'dozen' ? `${quantity} ${unit}` : `${quantity} × ${unit}`
}
