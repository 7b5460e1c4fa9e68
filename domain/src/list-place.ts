/* Places in lists that are read by keys: what a page goes on after, or ends before. Free of the schema library: shop pages read them, too. */

/** Rows that a list counts, and that its pages have numbers for: further on it is read by places. */
export const MAX_LISTED = 10_000

/** What is before this are the last rows of a list. */
export const LIST_END = 'end'

/** A place as answers name it and addresses have it: base64url, or an encrypted text. */
export const PLACE_TEXT = /^[\w.-]{1,2000}$/

/** What of an address says which part of a list is shown. */
export const placeNames = ['page', 'after', 'before'] as const

/** The place that an address asks for. Odd ones ask for the first page, and so do page numbers of lists that have places. */
export function placeIn(params: { get(name: string): string | null }): { after?: string; before?: string } {
  for (const name of ['after', 'before']) {
    const place = params.get(name)
    if (place !== null && PLACE_TEXT.test(place)) return { [name]: place }
  }
  return {}
}
