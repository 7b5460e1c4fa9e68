import type { ChangeEvent } from 'react'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { FailureBanner } from '../form-parts.tsx'
import { ColumnsForm } from './columns-form.tsx'
import { FileOutcome } from './file-outcome.tsx'
import { FoundColumns } from './found-columns.tsx'
import { useLoggerFile } from './use-logger-file.ts'

type Props = { boxID: string; onImported: () => void }

/** Readings of a logger's file into a box: choose it, say what its columns are, see what would be recorded, import. */
export function LoggerFileImport({ boxID, onImported }: Props) {
  const hydrated = useHydrated()
  const at = useLoggerFile(boxID, onImported)
  const { file, work, failure, report, columns } = at
  const choose = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const chosen = input.files?.[0]
    if (chosen) void at.open(chosen)
    input.value = ''
  }
  return (
    <div className="grid gap-6">
      {!file && (
        <label className="block">
          <span className="mb-3 block max-w-prose">
            A CSV file as the logger’s program exports it. Nothing is recorded before you have seen what would
            be. Its readings count as typed in; each record names the file by its SHA-256, and the line.
          </span>
          <input
            type="file"
            accept=".csv,.txt,text/csv"
            aria-label="CSV file of a logger"
            disabled={!hydrated || work !== null}
            onChange={choose}
            className="min-h-11 w-full file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-md file:border file:border-edge file:bg-transparent file:px-4 file:font-semibold"
          />
        </label>
      )}
      {file && (
        <fieldset disabled={work === 'importing'} className="grid min-w-0 gap-6">
          <FoundColumns
            file={file}
            disabled={work !== null}
            onLayout={(layout) => void at.lay(file, layout)}
          />
          <ColumnsForm
            key={`${file.preview.sha256} ${file.preview.delimiter} ${file.preview.headerLine}`}
            file={file}
            fitting={at.fitting}
            onTry={(columns) => at.tryColumns(file, columns)}
            onChange={at.forgetReport}
            onClose={at.close}
          />
        </fieldset>
      )}
      {failure !== null && <FailureBanner error={failure} onDismiss={at.dismiss} />}
      {work === 'reading' && <Spinner label="Reading the file" />}
      {work === 'trying' && <Spinner label="Trying all lines" />}
      {report && <FileOutcome report={report} />}
      {work === 'importing' && <Importing progress={at.progress} />}
      {file && columns && report && work === null && (
        <div className="flex flex-wrap gap-3">
          {!report.applied && report.accepted > 0 && (
            <Button variant="primary" onClick={() => void at.importAll(file, columns, report)}>
              Import {report.accepted.toLocaleString('en')} {report.accepted === 1 ? 'reading' : 'readings'}
            </Button>
          )}
          {report.applied && (
            <Button variant="outline" onClick={at.close}>
              Done
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const Importing = ({ progress }: { progress: number }) => (
  <div className="grid gap-1">
    <label className="flex flex-wrap items-center gap-3 text-slate">
      Importing
      <progress className="h-3 w-40 accent-teal" value={progress} max={1} />
      <span className="tabular-nums">{Math.round(progress * 100)}%</span>
    </label>
    <p className="text-slate text-sm">
      What is stored stays if this is interrupted; importing again adds only what is missing.
    </p>
  </div>
)
