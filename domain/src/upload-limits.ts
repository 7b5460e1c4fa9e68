/* Limits of what is uploaded. The server enforces them, pages name them. */

/** Pictures of one product, and files of one request. */
export const MAX_IMAGES = 20
/** The largest file that can be uploaded, in megabytes as its owner's computer counts them. */
export const MAX_FILE_MB = 10
export const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024
/** A ZIP of products and their pictures, in megabytes: as large as a form with pictures may be. */
export const MAX_ZIP_MB = 200
/** Pictures in it. Each takes most of a second, and they are all looked at before the answer. */
export const MAX_ZIP_PICTURES = 300
/** Pictures that wait to be fetched from the addresses that files of products name. */
export const MAX_LINKED_PICTURES = 1_000
/** What is said of a file that is larger. */
export const fileTooLarge = (name: string): string => `${name} has more than ${MAX_FILE_MB} MB`
