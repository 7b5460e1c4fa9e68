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
import { FailureBanner } from '../form-parts.tsx'
import { CsvReport, MeantWords, meantBy, type Word, wordsAfter } from './csv-report.tsx'

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

/** The trial run and the import of a file, and which categories are meant by the words in it. */
function useImport(csv: string) {
  const [report, setReport] = useState<ImportReport | null>(null)
  const [words, setWords] = useState<readonly Word[]>([])
  const { run, ...call } = useCall()
  const asked = useRef(false)
  const send = async (dryRun: '0' | '1', by: readonly Word[]) => {
    const body = new Blob([csv], { type: 'text/csv; charset=utf-8' })
    const tell = (told: ImportReport) => {
      setReport(told)
      setWords(wordsAfter(by, told))
    }
    try {
      tell(await callApi(importProducts, { query: { dryRun, meant: meantBy(by) }, body }))
    } catch (error) {
      const found = reportOf(error)
      if (found) tell(found)
      throw error
    }
  }
  /** Takes what is most like a word, or takes that back, and tries the file again. */
  const take = (taken: Word) =>
    run(() =>
      send(
        '1',
        words.map((word) => (word.typed === taken.typed ? { ...word, taken: !word.taken } : word)),
      ),
    )
  return { ...call, report, words, take, run: (dryRun: '0' | '1') => run(() => send(dryRun, words)), asked }
}

function CsvImport({ csv, onClose }: { csv: string; onClose: () => void }) {
  const { report, words, take, failure, busy, run, asked } = useImport(csv)
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
      {report && !report.applied && (
        <MeantWords words={words} busy={busy} onTake={(word) => void take(word)} />
      )}
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
