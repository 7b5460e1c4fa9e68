/**
 * What a category's uniqueness is made of: its title without white space, case and Unicode's ways of writing an accent
 * ignored. Source: spec §2, product.md.
 */
export const titleKey = (title: string): string => title.replace(/\s+/gu, '').toLowerCase().normalize('NFC')

/** The last part of a category's address: its title with all white space removed. Source: spec §2. */
export const titlePath = (title: string): string => encodeURIComponent(title.replace(/\s+/gu, ''))

/**
 * Whether a title makes an address of its own. Browsers read '.' and '..' as steps up, however they are encoded, and
 * of invisible characters nobody can type the address.
 */
export const hasAddress = (title: string): boolean => !/^\.{0,2}$/.test(title.replace(/[\s\p{Cf}]+/gu, ''))
