import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { Button } from '#web/components/button.tsx'
import { ScrollRegion } from '#web/components/table.tsx'
import { BadLines, MAX_SHOWN } from '../form-parts.tsx'
import { DifferenceTable } from '../list/history-dialog.tsx'
import { productText } from './product-values.ts'

/** A category as the file has it, in so many lines, and the one most like it. `taken`: that one is meant. */
export type Word = { typed: string; title: string; lines: number; taken: boolean }

/** What is sent of the words that are taken: the query parameter `meant`. */
export const meantBy = (words: readonly Word[]): string =>
  JSON.stringify(words.filter(({ taken }) => taken).map(({ typed, title }) => [typed, title]))

/** Characters of `meant` in an address. */
const MAX_MEANT = 6_000

/** Does an address hold one more? */
const canTake = (words: readonly Word[], word: Word): boolean =>
  encodeURIComponent(meantBy([...words, { ...word, taken: true }])).length <= MAX_MEANT

/** The words that were taken, and those that a report asks about, in the order in which they came up. */
export function wordsAfter(before: readonly Word[], { bad }: ImportReport): Word[] {
  const asked = new Map<string, Word>()
  for (const { nearest } of bad) {
    if (nearest === undefined) continue
    const lines = (asked.get(nearest.typed)?.lines ?? 0) + 1
    asked.set(nearest.typed, { ...nearest, lines, taken: false })
  }
  const kept = before.flatMap((word) => asked.get(word.typed) ?? (word.taken ? word : []))
  const known = new Set(kept.map(({ typed }) => typed))
  return [...kept, ...[...asked.values()].filter(({ typed }) => !known.has(typed))]
}

type WordsProps = { words: readonly Word[]; busy: boolean; onTake: (word: Word) => void }

/** Mistyped categories, each with a press that takes the one most like it, and the same press to take that back. */
export function MeantWords({ words, busy, onTake }: WordsProps) {
  if (words.length === 0) return null
  return (
    <section aria-labelledby="meant-words" className="grid gap-3">
      <h3 id="meant-words" className="font-semibold text-lg">
        Unknown categories
      </h3>
      <ul className="grid gap-3">
        {words.slice(0, MAX_SHOWN).map((word) => (
          <li key={word.typed} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="wrap-anywhere">
              “{word.typed}”, {word.lines === 1 ? '1 line' : `${word.lines} lines`}
              {word.taken && `: read as “${word.title}”`}
            </span>
            {(word.taken || canTake(words, word)) && (
              <Button variant="outline" aria-busy={busy} onClick={() => onTake(word)}>
                {word.taken ? `Not “${word.title}”` : `Read as “${word.title}”`}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Files that are named of those that no line names. */
const MAX_NAMED = 10

const withoutPicture = ({ rows, bad }: ImportReport): boolean =>
  bad.length === 0 && rows.some(({ _id, diff }) => _id === null && diff.pictures === undefined)

/** What a file of products would change, or has changed, and its bad rows by line. */
export function CsvReport({ report }: { report: ImportReport }) {
  const { created, changed, unchanged, examples, pictures, bad, rows, applied } = report
  return (
    <>
      <p role="status" className={applied ? 'font-semibold text-good' : ''}>
        {bad.length > 0
          ? `Nothing imported. Fix ${bad.length === 1 ? 'the mistake' : `the ${bad.length} mistakes`} and try again.`
          : `${applied ? 'Imported' : 'Ready to import'}: ${created} new, ${changed} updated, ${unchanged} unchanged.`}
      </p>
      {examples > 0 && (
        <p>
          {examples === 1 ? 'One line is an example and is' : `${examples} lines are examples and are`} left
          out.
        </p>
      )}
      {pictures.added > 0 && bad.length === 0 && (
        <p>
          {pictures.added === 1 ? '1 picture' : `${pictures.added} pictures`} {applied ? 'added.' : 'to add.'}
        </p>
      )}
      {pictures.linked > 0 && bad.length === 0 && (
        <p>
          {pictures.linked === 1 ? '1 picture' : `${pictures.linked} pictures`} to be fetched. New products go
          on sale with their first picture where their line says ACTIVE.
        </p>
      )}
      {withoutPicture(report) && (
        <p>New products without a picture are not on sale yet. Add a picture, then set them ACTIVE.</p>
      )}
      {pictures.unused.length > 0 && (
        <p className="wrap-anywhere">
          No line names {pictures.unused.slice(0, MAX_NAMED).join(', ')}
          {pictures.unused.length > MAX_NAMED && ` and ${pictures.unused.length - MAX_NAMED} more`}: left out.
        </p>
      )}
      {bad.length > 0 && (
        <BadLines
          label="Bad rows"
          heading={`${bad.length} ${bad.length === 1 ? 'mistake' : 'mistakes'} in the file`}
          lines={bad}
          text={({ message }) => message}
        />
      )}
      {rows.length > 0 && !applied && (
        <ScrollRegion aria-label="Changes" className="max-h-80 overflow-y-auto border-line border-y py-3">
          <ol className="grid gap-4">
            {rows.slice(0, MAX_SHOWN).map((row) => (
              <li key={row.line}>
                <p className="font-semibold">
                  Line {row.line}: {row.title} {row._id === null && '(new)'}
                </p>
                <DifferenceTable
                  caption={`Changes to ${row.title}`}
                  rows={Object.entries(row.diff).map(([field, { from, to }]) => ({
                    field,
                    from: productText(field, from),
                    to: productText(field, to),
                  }))}
                />
              </li>
            ))}
            {rows.length > MAX_SHOWN && <li className="text-slate">and {rows.length - MAX_SHOWN} more</li>}
          </ol>
        </ScrollRegion>
      )}
    </>
  )
}
