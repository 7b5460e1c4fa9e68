import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import type { FileReport } from '@befaqt/domain/device-formats/logger-file'

/** Refused lines of a file as CSV. Headings are the file's own, so a spreadsheet must not run them. */
export function refusedCsv(bad: FileReport['bad']): Blob {
  const rows = bad.map(({ line, path, message }) => [line, path, message])
  return new Blob([csvHeader(['line', 'column', 'reason']), csvRows(rows)], { type: 'text/csv' })
}
