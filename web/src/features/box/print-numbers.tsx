import { MAX_PRINTED, PrintedLabels } from '@befaqt/domain/box-numbers'
import { type ReactNode, useState } from 'react'
import { download } from '#web/api/download.ts'
import { Button } from '#web/components/button.tsx'
import { Choice } from '#web/components/choice.tsx'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'

const formats = [
  ['pdf', 'A4 sheets (PDF)'],
  ['zpl', 'Thermal printer (ZPL)'],
] as const

const TIMEOUT_MS = 60_000

type Props = {
  /** What the form is called. */
  label: string
  /** What is offered: the first number, and how many. */
  first: string
  count: number
  urlOf: (labels: PrintedLabels) => string
  /** How the page says what was refused. */
  failed: (failure: unknown, dismiss: () => void) => ReactNode
}

/** Saves the labels of allotted numbers as a file for a printer; numbers that are used already are refused by name. */
export function PrintNumbers({ label, first, count, urlOf, failed }: Props) {
  const [format, setFormat] = useState<PrintedLabels['format']>('pdf')
  const [saved, setSaved] = useState('')
  const form = useForm(PrintedLabels, async (labels) => {
    setSaved('')
    const name = await download(urlOf(labels), () => undefined, AbortSignal.timeout(TIMEOUT_MS))
    setSaved(`${labels.count === 1 ? 'The label is' : `${labels.count} labels are`} saved as ${name}.`)
  })
  return (
    <form {...form.formProps} aria-label={label} className="grid gap-4 py-3">
      {form.failure !== null && failed(form.failure, form.dismiss)}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <InputField
          label="From number"
          name="first"
          defaultValue={first}
          autoComplete="off"
          error={form.errors.first}
        />
        <InputField
          label="How many labels"
          name="count"
          inputMode="numeric"
          defaultValue={count}
          autoComplete="off"
          hint={`Up to ${MAX_PRINTED} at once, ten on a sheet`}
          error={form.errors.count}
        />
      </div>
      <Choice legend="For" name="format" choices={formats} value={format} onChange={setFormat} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!form.ready} aria-busy={form.busy}>
          {form.busy ? 'One moment…' : 'Save the labels'}
        </Button>
        <p role="status" className="text-good">
          {saved}
        </p>
      </div>
    </form>
  )
}
