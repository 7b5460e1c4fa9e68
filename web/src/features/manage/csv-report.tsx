import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { DifferenceTable } from './difference-table.tsx'
import { valueText } from './differences.ts'

/** Rows shown of a long file; all of them are written. */
const SHOWN = 100

/** What scrolls has to take the focus, else a keyboard can't scroll it. Source: axe scrollable-region-focusable. */
const FOCUSABLE = { tabIndex: 0 }

const counted = (n: number, words: string): string => `${n} ${words}`

/** What a file of products would change, or has changed, and its bad rows by line. */
export function CsvReport({ report }: { report: ImportReport }) {
  const { created, changed, unchanged, bad, rows, applied } = report
  return (
    <>
      <p role="status" className={applied ? 'font-semibold text-good' : ''}>
        {applied ? 'Done: ' : bad.length > 0 ? 'Nothing was written. ' : 'This would be: '}
        {[counted(created, 'new'), counted(changed, 'changed'), counted(unchanged, 'as they are')].join(', ')}
        .
      </p>
      {bad.length > 0 && (
        <section
          aria-label="Bad rows"
          className="max-h-64 overflow-y-auto rounded-md border-bad border-l-4 bg-bad-ice p-4"
          {...FOCUSABLE}
        >
          <h3 className="mb-2 font-semibold text-bad text-lg">
            {bad.length} {bad.length === 1 ? 'mistake' : 'mistakes'} in the file
          </h3>
          <ul className="grid gap-1">
            {bad.slice(0, SHOWN).map(({ line, path, message }) => (
              <li key={`${line} ${path} ${message}`}>
                <b className="font-semibold">Line {line}</b>: {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {rows.length > 0 && !applied && (
        <section
          aria-label="Changes"
          className="max-h-80 overflow-y-auto border-line border-y py-3"
          {...FOCUSABLE}
        >
          <ol className="grid gap-4">
            {rows.slice(0, SHOWN).map((row) => (
              <li key={row.line}>
                <p className="font-semibold">
                  Line {row.line}: {row.title} {row._id === null && '(new)'}
                </p>
                <DifferenceTable
                  caption={`What changes of ${row.title}`}
                  rows={Object.entries(row.diff).map(([field, { from, to }]) => ({
                    field,
                    from: valueText(from),
                    to: valueText(to),
                  }))}
                />
              </li>
            ))}
            {rows.length > SHOWN && <li className="text-slate">and {rows.length - SHOWN} more</li>}
          </ol>
        </section>
      )}
    </>
  )
}
