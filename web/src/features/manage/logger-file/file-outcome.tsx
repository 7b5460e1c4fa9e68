import type { FileReport } from '@befaqt/domain/device-formats/logger-file'
import { temperatureText } from '@befaqt/domain/tracking'
import { saveFile } from '#web/api/download.ts'
import { Button } from '#web/components/button.tsx'
import { Time } from '#web/time/time.tsx'
import { BadLines, MAX_SHOWN } from '../list/bad-lines.tsx'
import { refusedCsv } from './refused-csv.ts'

const counted = (n: number, one: string, more: string): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : more}`
const readings = (n: number): string => counted(n, 'reading', 'readings')

/** What would become, or has become, of a file: what is new, what is there already, and every line that is refused. */
export function FileOutcome({ report }: { report: FileReport }) {
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
