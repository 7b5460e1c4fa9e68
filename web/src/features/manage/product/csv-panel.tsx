import { exportProducts, importProducts } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { productTemplate } from '@befaqt/domain/csv-cells'
import { ShopError } from '@befaqt/domain/errors'
import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button, buttonClass } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { ScrollRegion } from '#web/components/table.tsx'
import { BadLines, FailureBanner, MAX_SHOWN } from '../form-parts.tsx'
import { DifferenceTable } from '../list/history-dialog.tsx'
import { productText } from './product-values.ts'

/** The report that comes with a refusal of bad rows. */
function reportOf(error: unknown): ImportReport | null {
  if (!(error instanceof ShopError)) return null
  const { report } = error.details
  return isReport(report) ? report : null
}

const isReport = (value: unknown): value is ImportReport =>
  typeof value === 'object' && value !== null && 'bad' in value && 'rows' in value

/** Made here: it is small, and the same for everybody. */
const TEMPLATE = `data:text/csv;charset=utf-8,${encodeURIComponent(productTemplate())}`

/** Every product out as CSV, and in again: first what would change, then all of it or nothing. */
export function CsvPanel() {
  const ready = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<{ name: string; csv: string } | null>(null)
  const take = async (chosen: File | undefined) => {
    if (chosen) setFile({ name: chosen.name, csv: await chosen.text() })
    if (input.current) input.current.value = ''
  }
  return (
    <div className="flex flex-wrap gap-3">
      <a href={exportProducts.url} download="products.csv" className={buttonClass('outline')}>
        Export CSV
      </a>
      <a href={TEMPLATE} download="products-template.csv" className={buttonClass('outline')}>
        CSV template
      </a>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV file to import"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <Button variant="outline" disabled={!ready} onClick={() => input.current?.click()}>
        Import CSV
      </Button>
      <Dialog open={file !== null} title={`Import ${file?.name ?? ''}`} onClose={() => setFile(null)}>
        {file && <CsvImport csv={file.csv} onClose={() => setFile(null)} />}
      </Dialog>
    </div>
  )
}

function useImport(csv: string) {
  const [report, setReport] = useState<ImportReport | null>(null)
  const { run, ...call } = useCall()
  const asked = useRef(false)
  const send = async (dryRun: '0' | '1') => {
    const body = new Blob([csv], { type: 'text/csv; charset=utf-8' })
    try {
      setReport(await callApi(importProducts, { query: { dryRun }, body }))
    } catch (error) {
      const found = reportOf(error)
      if (found) setReport(found)
      throw error
    }
  }
  return { ...call, report, run: (dryRun: '0' | '1') => run(() => send(dryRun)), asked }
}

function CsvImport({ csv, onClose }: { csv: string; onClose: () => void }) {
  const { report, failure, busy, run, asked } = useImport(csv)
  const { revalidate } = useRevalidator()
  const start = (element: HTMLDivElement | null) => {
    if (!element || asked.current) return
    asked.current = true
    void run('1')
  }
  const apply = async () => {
    await run('0')
    await revalidate()
  }
  const changes = report ? report.created + report.changed : 0
  const canApply = report !== null && !report.applied && report.bad.length === 0 && changes > 0
  return (
    <div ref={start} className="grid gap-4">
      {failure !== null && <FailureBanner error={failure} />}
      {busy && <Spinner label={report ? 'Importing' : 'Reading the file'} />}
      {report && <CsvReport report={report} />}
      <div className="flex flex-wrap gap-3">
        {canApply && (
          <Button variant="primary" aria-busy={busy} onClick={() => void apply()}>
            Apply {changes} {changes === 1 ? 'change' : 'changes'}
          </Button>
        )}
        <Button variant="outline" onClick={onClose}>
          {report?.applied ? 'Done' : 'Close'}
        </Button>
      </div>
    </div>
  )
}

/** What a file of products would change, or has changed, and its bad rows by line. */
function CsvReport({ report }: { report: ImportReport }) {
  const { created, changed, unchanged, examples, bad, rows, applied } = report
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
      {created > 0 && bad.length === 0 && (
        <p>
          A file has no pictures, so new products are not on sale yet. Add a picture, then set them ACTIVE.
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
