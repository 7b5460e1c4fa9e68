/**
 * A cell that a spreadsheet would evaluate as a formula, with or without leading apostrophes. Full-width signs count
 * too: some programs treat them like plain ones.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Prefixes what looks like a formula with an apostrophe, against CSV injection. `readCell` removes it again. */
export const safeCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The inverse of `safeCell`: removes exactly one apostrophe. */
export const readCell = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
