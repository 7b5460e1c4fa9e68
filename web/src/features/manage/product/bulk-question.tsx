import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { ScrollRegion } from '#web/components/table.tsx'
import { DifferenceTable } from '../list/history-dialog.tsx'
import { counted, type Question } from './use-bulk.ts'

type Props = { question: Question | null; valueText: (field: string, value: unknown) => string }

/** What would change of products most of which are out of sight, to be said yes to. */
export const BulkQuestion = ({ question, valueText }: Props) => (
  <Dialog
    open={question !== null}
    title={`Change ${counted(question?.preview.changed ?? 0)}`}
    onClose={() => question?.answer(false)}
  >
    {question && <WhatWouldChange {...question} valueText={valueText} />}
  </Dialog>
)

function WhatWouldChange({ preview, answer, valueText }: Question & Pick<Props, 'valueText'>) {
  const { matched, changed, rows } = preview
  const same = matched - changed
  return (
    <div className="grid gap-4">
      <p>
        {changed === 0
          ? `Nothing would change: ${counted(same)} ${same === 1 ? 'is' : 'are'} as wanted already.`
          : `Of ${counted(matched)} that match, ${changed.toLocaleString('en-AU')} would change${same > 0 ? `; ${same.toLocaleString('en-AU')} would stay as they are` : ''}. It can be undone.`}
      </p>
      {rows.length > 0 && (
        <ScrollRegion aria-label="Changes" className="max-h-80 overflow-y-auto border-line border-y py-3">
          <ol className="grid gap-4">
            {rows.map(({ _id, title, diff }) => (
              <li key={_id}>
                <p className="font-semibold">{title}</p>
                <DifferenceTable
                  caption={`Changes to ${title}`}
                  rows={Object.entries(diff).map(([field, { from, to }]) => ({
                    field,
                    from: valueText(field, from),
                    to: valueText(field, to),
                  }))}
                />
              </li>
            ))}
            {changed > rows.length && (
              <li className="text-slate">and {(changed - rows.length).toLocaleString('en-AU')} more</li>
            )}
          </ol>
        </ScrollRegion>
      )}
      <div className="flex flex-wrap gap-3">
        {changed > 0 && (
          <Button variant="primary" onClick={() => answer(true)}>
            Change them
          </Button>
        )}
        <Button variant="outline" onClick={() => answer(false)}>
          {changed > 0 ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </div>
  )
}
