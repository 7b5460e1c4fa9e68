import type { ProductView } from '@befaqt/domain/catalogue'
import { type Cents, centsFromDecimal, discounted } from '@befaqt/domain/money'

/** What one unit costs after discount. Source: spec §9. */
export const salePrice = ({ price, discount }: Pick<ProductView, 'price' | 'discount'>): Cents =>
  discounted(centsFromDecimal(price), discount)
