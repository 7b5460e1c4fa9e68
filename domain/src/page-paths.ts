import type { ProductView } from './catalogue.ts'

/** Path of a box's page: its history. Source: spec §2. */
export const boxPath = (boxID: string): string => `/SFMBox/byId/${encodeURIComponent(boxID)}`

/** Path of a product's page. Source: spec §2. */
export const productPath = (id: string): string => `/product/${encodeURIComponent(id)}`

/**
 * Where a product's card leads: to the product, or, when its shelf position starts with '0', to the history of its
 * box, which is the shop's sample box where it has none. Source: spec §2.
 */
export const cardPath = (
  product: Pick<ProductView, '_id' | 'shelfPos' | 'box'>,
  sampleBox: string,
): string =>
  product.shelfPos.startsWith('0') ? boxPath(product.box?.boxID ?? sampleBox) : productPath(product._id)
