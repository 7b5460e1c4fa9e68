import type { ProductBox, ProductView } from '@befaqt/domain/catalogue'
import { stars } from '@befaqt/domain/stars'

/** Stars of a freshness index; null at 1 and above, and before the first assessment. */
export const starsOfIndex = (index: number | null): number | null => (index === null ? null : stars(index))

/** Stars of the freshest box that a product comes from. */
export const starsOf = (product: Pick<ProductView, 'box'>): number | null =>
  starsOfIndex(product.box?.freshnessIndex ?? null)

/** 'about 9 days left', or null where nothing is known. */
export function daysLeftText({ daysLeft }: Pick<ProductBox, 'daysLeft'>): string | null {
  if (!daysLeft) return null
  const days = Math.round(daysLeft.days)
  if (days < 1) return 'best today'
  return `about ${days} ${days === 1 ? 'day' : 'days'} left`
}
