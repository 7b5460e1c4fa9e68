import type { FileReport } from '@befaqt/domain/device-formats/logger-file'
import { temperatureText } from '@befaqt/domain/tracking'
import type { ChangeEvent } from 'react'
import { saveFile } from '#web/api/download.ts'
import { Button } from '#web/components/button.tsx'
import { InputField, SelectField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { Table, Td, Th } from '#web/components/table.tsx'
import { Time } from '#web/time/time.tsx'
import { BadLines, FailureBanner, MAX_SHOWN } from '../../form-parts.tsx'
import { ColumnsForm } from './columns-form.tsx'
import { refusedCsv } from './csv.ts'
import { type Layout, type OpenFile, useLoggerFile } from './use-logger-file.ts'

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
    <p className="muted">
      What is stored stays if this is interrupted; importing again adds only what is missing.
    </p>
  </div>
)

type FoundProps = { file: OpenFile; disabled: boolean; onLayout: (layout: Layout) => void }

/** Lines and columns have no identity but their place. */
const placed = <One,>(list: readonly One[]) => list.map((one, place) => ({ one, place }))

/** What is in the file: its columns and first lines, and how they are found where that went wrong. */
function FoundColumns({ file: { name, preview }, disabled, onLayout }: FoundProps) {
  const { delimiter, headerLine, headings, rows, lines } = preview
  return (
    <div className="grid gap-3">
      <p>
        <b className="wrap-anywhere font-semibold">{name}</b>: {lines.toLocaleString('en')}{' '}
        {lines === 1 ? 'line' : 'lines'} below its headings.
      </p>
      <Table caption="Columns of the file">
        <thead>
          <tr>
            {placed(headings).map(({ place, one: heading }) => (
              <Th key={place}>{heading || <span className="sr-only">without a heading</span>}</Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {placed(rows).map(({ place, one: row }) => (
            <tr key={place}>
              {placed(row).map(({ place, one: cell }) => (
                <Td key={place} className="max-w-60 truncate whitespace-nowrap text-sm tabular-nums">
                  {cell}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <details>
        <summary className="link tap">These are not the right columns</summary>
        <div className="grid max-w-xl gap-4 pt-2 sm:grid-cols-2">
          <SelectField
            label="Columns are separated by"
            value={delimiter}
            disabled={disabled}
            onChange={({ currentTarget: { value } }) =>
              onLayout({ headerLine, delimiter: value === ';' || value === ',' ? value : '\t' })
            }
          >
            <option value=",">commas</option>
            <option value=";">semicolons</option>
            <option value={'\t'}>tabs</option>
          </SelectField>
          <InputField
            key={headerLine}
            label="Line of the headings"
            type="number"
            min={1}
            max={200}
            defaultValue={headerLine}
            disabled={disabled}
            onBlur={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= 1 && valueAsNumber <= 200 && valueAsNumber !== headerLine)
                onLayout({ delimiter, headerLine: Math.floor(valueAsNumber) })
            }}
          />
        </div>
      </details>
    </div>
  )
}

const counted = (n: number, one: string, more: string): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : more}`
const readings = (n: number): string => counted(n, 'reading', 'readings')

/** What would become, or has become, of a file: what is new, what is there already, and every line that is refused. */
function FileOutcome({ report }: { report: FileReport }) {
  const { applied, accepted, duplicates, refused } = report
  return (
    <div className="grid gap-3">
      <div role="status" className="grid gap-1">
        <p className={applied && accepted > 0 ? 'font-semibold text-good' : 'font-semibold'}>
          {accepted === 0
            ? duplicates > 0
              ? 'Nothing in this file is new.'
              : 'Nothing in this file can be recorded.'
            : applied
              ? `${readings(accepted)} recorded.`
              : `${readings(accepted)} would be recorded.`}
        </p>
        {duplicates > 0 && (
          <p>
            {accepted === 0 && refused === 0 ? 'All ' : ''}
            {readings(duplicates)} {duplicates === 1 ? 'is' : 'are'} in this box already, or twice in the
            file: {duplicates === 1 ? 'it is' : 'they are'} recorded once.
          </p>
        )}
      </div>
      <Read report={report} />
      {refused > 0 && <Refused bad={report.bad} />}
    </div>
  )
}

/** How the file is read, so that one sees a day that is taken for a month. */
function Read({ report: { span, sample } }: { report: FileReport }) {
  if (span === null) return null
  return (
    <dl className="grid gap-2 sm:grid-cols-[auto_1fr] sm:gap-x-6 [&_dt]:font-semibold">
      <dt>Measured</dt>
      <dd>
        from <Time at={span.from} /> to <Time at={span.to} />, by the market’s clock
      </dd>
      <dt>Temperature</dt>
      <dd className="tabular-nums">
        {temperatureText(span.low)} to {temperatureText(span.high)} °C
      </dd>
      <dt>First lines</dt>
      <dd>
        <ul className="tabular-nums">
          {sample.map(({ line, time, temperature, iotID }) => (
            <li key={line} className="wrap-anywhere">
              line {line}: <Time at={time} />, {temperatureText(temperature)} °C, logger {iotID}
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  )
}

type Bad = FileReport['bad']

function Refused({ bad }: { bad: Bad }) {
  return (
    <div className="grid gap-2">
      <BadLines
        label="Refused lines"
        heading={`${counted(bad.length, 'line is', 'lines are')} refused`}
        lines={bad}
        text={({ path, message }) => `${path} ${message}`}
      />
      {bad.length > MAX_SHOWN && (
        <div>
          <Button variant="outline" onClick={() => saveFile(refusedCsv(bad), 'refused-lines.csv')}>
            Save all of them as CSV
          </Button>
        </div>
      )}
    </div>
  )
}
