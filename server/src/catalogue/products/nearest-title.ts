import { plain } from '#server/catalogue/search/terms.ts'

/** Characters of a title that are compared: the work grows with their square. */
const MAX_COMPARED = 60

/** The title most like what was typed; undefined when more than a third of its letters would have to change. */
export function nearestTitle(typed: string, titles: readonly string[]): string | undefined {
  const wanted = lettersOf(typed)
  const [nearest] = titles
    .map((title) => ({ title, edits: edits(wanted, lettersOf(title)) }))
    .filter(({ edits }) => edits <= Math.ceil(wanted.length / 3) && edits < wanted.length)
    .sort((a, b) => a.edits - b.edits || (a.title < b.title ? -1 : 1))
  return nearest?.title
}

const lettersOf = (text: string): string[] => [...plain(text).replace(/\s+/gu, '')].slice(0, MAX_COMPARED)

/** Letters to add, leave out or change to get from one to the other. */
function edits(from: readonly string[], to: readonly string[]): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [at, letter] of from.entries()) {
    const next = [at + 1]
    for (const [i, other] of to.entries())
      next.push(
        Math.min((row[i] ?? 0) + (letter === other ? 0 : 1), (row[i + 1] ?? 0) + 1, (next[i] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
