import type { ProductView } from '@befaqt/domain/catalogue'

/** History of a box. Source: spec §2. */
export const boxPath = (boxID: string): string => `/SFMBox/byId/${encodeURIComponent(boxID)}`

/**
 * Where a product's card leads: to the product, or, when its shelf position starts with '0', to the history of its
 * box, which is the shop's sample box where it has none. Source: spec §2.
 */
export function cardPath(product: Pick<ProductView, '_id' | 'shelfPos' | 'box'>, sampleBox: string): string {
  if (product.shelfPos.startsWith('0')) return boxPath(product.box?.boxID ?? sampleBox)
  return `/product/${encodeURIComponent(product._id)}`
}
