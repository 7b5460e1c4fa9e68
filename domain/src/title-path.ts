/** What a category's uniqueness is made of: its title without white space, case ignored. Source: spec §2, product.md. */
export const titleKey = (title: string): string => title.replace(/\s+/gu, '').toLowerCase()

/** The last part of a category's address: its title with all white space removed. Source: spec §2. */
export const titlePath = (title: string): string => encodeURIComponent(title.replace(/\s+/gu, ''))
