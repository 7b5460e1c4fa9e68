const OF_A_PAGE = /\/SFMBox\/byId\/([^/?#\s]+)/i
/** Says the same as `BoxID` of domain, without the schema library. */
const NUMBER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/**
 * The number of a box out of what was typed, pasted or scanned: the number itself, or the URL of its page, which is
 * in the code on the box. Null where it can be none.
 */
export function boxNumber(text: string): string | null {
  const number = (OF_A_PAGE.exec(text)?.[1] ?? text).trim()
  return NUMBER.test(number) ? number : null
}

/** Whether a search is more likely for a box than for a product: one word with four digits or more in it. */
export const looksLikeBoxNumber = (search: string): boolean =>
  /\d{4}/.test(search) && /^[\w.-]+$/.test(search.trim()) && boxNumber(search) !== null

/** Whether a search can only be for a box: eight digits or more, as loggers and labels number them. */
export const isBoxNumber = (search: string): boolean => /^\d{8,64}$/.test(search)

/** Is this text of a code the signed note of a log, or its line? Which it is, is found out by the check. */
export const isReceipt = (text: string): boolean =>
  /^befaqt1\s/.test(text) || /^\S+\n\d+\n[\w+/]{43}=\n/.test(text)
