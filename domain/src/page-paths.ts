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

/**
 * Key by which a category's title is unique: without white space, lower case, Unicode-normalized. Source: spec §2,
 * product.md.
 */
export const titleKey = (title: string): string => title.replace(/\s+/gu, '').toLowerCase().normalize('NFC')

/** The last segment of a category's URL: its title with all white space removed. Source: spec §2. */
export const titlePath = (title: string): string => encodeURIComponent(title.replace(/\s+/gu, ''))

/**
 * Whether a title makes a usable URL. Browsers resolve '.' and '..' as path segments, however they are encoded, and
 * invisible characters can't be typed.
 */
export const hasAddress = (title: string): boolean => !/^\.{0,2}$/.test(title.replace(/[\s\p{Cf}]+/gu, ''))
