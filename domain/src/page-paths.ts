import type { ProductView } from './catalogue.ts'

/** Path of a box's page: its history. Source: spec §2. */
export const boxPath = (boxID: string): string => `/SFMBox/byId/${encodeURIComponent(boxID)}`

/** Path of a product's page. Source: spec §2. */
export const productPath = (id: string): string => `/product/${encodeURIComponent(id)}`

/**
 * Where a product's card leads: to the product, or, when its shelf position starts with '0' and it has a box, to the
 * history of that box. The specification (§2) names one fixed box; its history would not be this fish's.
 */
export const cardPath = ({ _id, shelfPos, box }: Pick<ProductView, '_id' | 'shelfPos' | 'box'>): string =>
  box && shelfPos.startsWith('0') ? boxPath(box.boxID) : productPath(_id)
