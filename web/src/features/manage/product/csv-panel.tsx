import { exportProducts, importProducts } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { productTemplate } from '@befaqt/domain/csv-cells'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_FILE_MB, MAX_LINKED_PICTURES, MAX_ZIP_MB, MAX_ZIP_PICTURES } from '@befaqt/domain/upload-limits'
import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { upload } from '#web/api/upload.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button, buttonClass } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { FailureBanner, UploadProgress } from '../form-parts.tsx'
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
  const [file, setFile] = useState<File | null>(null)
  const take = (chosen: File | undefined) => {
    if (chosen) setFile(chosen)
    if (input.current) input.current.value = ''
  }
  return (
    <div className="flex flex-wrap items-center justify-end gap-3 max-md:justify-start *:open:basis-full">
      <a
        href={exportProducts.url}
        download="products.csv"
        title="Every product, in the form that Import takes"
        className={buttonClass('outline')}
      >
        CSV for import
      </a>
      <a href={TEMPLATE} download="products-template.csv" className={buttonClass('outline')}>
        CSV template
      </a>
      <input
        ref={input}
        type="file"
        accept=".csv,.zip,text/csv,application/zip"
        aria-label="CSV or ZIP file to import"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      <Button variant="outline" disabled={!ready} onClick={() => input.current?.click()}>
        Import CSV or ZIP
      </Button>
      <details>
        <summary className="tap text-teal">Products with pictures</summary>
        <p className="max-w-prose">
          Put the CSV file and the pictures into one ZIP. Its column <code>pictures</code> has the names of a
          product’s files, the first to be shown first: <code>snapper.jpg | snapper-side.jpg</code>. They are
          added to those that it has. A new product is on sale at once where its line says ACTIVE and it has a
          picture. At most {MAX_ZIP_PICTURES} pictures and {MAX_ZIP_MB} MB.
        </p>
        <p className="mt-3 max-w-prose">
          Without a ZIP, the column <code>pictures</code> may have addresses that begin with https://, of
          JPEG, PNG, WebP or AVIF files of at most {MAX_FILE_MB} MB. They are fetched after the lines are in;
          a new product whose line says ACTIVE goes on sale with its first picture, unless somebody changed it
          before. What can’t be fetched stands above this list with the reason. At most{' '}
          {MAX_LINKED_PICTURES.toLocaleString('en-AU')} can wait.
        </p>
      </details>
      <Dialog open={file !== null} title={`Import ${file?.name ?? ''}`} onClose={() => setFile(null)}>
        {file && <CsvImport file={file} onClose={() => setFile(null)} />}
      </Dialog>
    </div>
  )
}

const isZip = ({ name, type }: File): boolean => /\.zip$/i.test(name) || type === 'application/zip'

/** What is sent: the bytes as they are, since only the server can tell whether they are UTF-8. */
const bodyOf = (file: File): Blob => new Blob([file], { type: isZip(file) ? 'application/zip' : 'text/csv' })

/** @throws ShopError for a ZIP that the server would refuse, before minutes are spent on sending it */
function assertSendable(file: File): void {
  if (isZip(file) && file.size > MAX_ZIP_MB * 1024 * 1024)
    throw new ShopError('input.too_large', `A ZIP may have at most ${MAX_ZIP_MB} MB. Make several of it.`)
}

/** The trial run and the import of a file, and which categories are meant by the words in it. */
function useImport(file: File) {
  const [report, setReport] = useState<ImportReport | null>(null)
  const [words, setWords] = useState<readonly Word[]>([])
  const [progress, setProgress] = useState(0)
  const { run, ...call } = useCall()
  const asked = useRef(false)
  const send = async (dryRun: '0' | '1', by: readonly Word[]) => {
    assertSendable(file)
    setProgress(0)
    const input = { query: { dryRun, meant: meantBy(by) }, body: bodyOf(file) }
    const tell = (told: ImportReport) => {
      setReport(told)
      setWords(wordsAfter(by, told))
    }
    try {
      tell(await upload(importProducts, input, setProgress))
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
  return {
    ...call,
    report,
    words,
    progress,
    take,
    run: (dryRun: '0' | '1') => run(() => send(dryRun, words)),
    asked,
  }
}

const LOOKING = 'Looking at the pictures: a hundred large ones take more than a minute'

function CsvImport({ file, onClose }: { file: File; onClose: () => void }) {
  const { report, words, progress, take, failure, busy, run, asked } = useImport(file)
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
      {busy && <UploadProgress progress={progress} what="the file" />}
      {busy && progress === 1 && <Spinner label={isZip(file) ? LOOKING : 'Reading the file'} />}
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
