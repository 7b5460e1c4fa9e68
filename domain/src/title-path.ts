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
