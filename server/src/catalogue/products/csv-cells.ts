/**
 * A cell that a spreadsheet would run as a formula, with or without apostrophes before it. Full-width signs count
 * too: some programs take them for plain ones.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A cell that no spreadsheet runs: what looks like a formula gets an apostrophe, which `readCell` takes off again. */
export const safeCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** What `safeCell` was given: exactly one apostrophe is taken off, so that every text comes back as it was. */
export const readCell = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
