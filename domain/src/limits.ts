/* Limits of what people type and send. The schemas enforce them, pages name them. Free of the schema library. */

/** Pictures of one product, and files of one request. */
export const MAX_IMAGES = 20
/** The largest file that can be uploaded, in megabytes as its owner's computer counts them. */
export const MAX_FILE_MB = 10
export const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024
/** What is said of a file that is larger. */
export const fileTooLarge = (name: string): string => `${name} has more than ${MAX_FILE_MB} MB`

export const MAX_DOLLARS = 100_000
export const MAX_STOCK = 1_000_000
/** How much of a product one box may be said to hold, in the product's unit. */
export const MAX_QUANTITY = 1_000_000
/** Characters of the description of a picture. */
export const MAX_ALT = 300
/** Characters of the reason for a correction or a seal. */
export const MAX_REASON = 500
/** Characters of what is searched for. */
export const MAX_SEARCH = 100
export const MAX_PAGE = 1_000_000

/** Digits of an authenticator's code. Source: spec §5. */
export const CODE_DIGITS = 6

/** Hours for which the links of emails work, each once. */
export const LINK_HOURS = { activate: 24, reset: 1, 'first-admin': 24 } as const
/** '24 hours', '1 hour'. */
export const hoursText = (hours: number): string => `${hours} ${hours === 1 ? 'hour' : 'hours'}`
