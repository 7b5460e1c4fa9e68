import { safeCell } from '@befaqt/domain/csv-cells'
import type { FileReport } from '@befaqt/domain/device-formats/logger-file'

/** Refused lines of a file as CSV (RFC 4180). Headings are the file's own, so a spreadsheet must not run them. */
export function refusedCsv(bad: FileReport['bad']): Blob {
  const cell = (text: string): string => `"${safeCell(text).replaceAll('"', '""')}"`
  const lines = bad.map(({ line, path, message }) => `${line},${cell(path)},${cell(message)}`)
  return new Blob([['line,column,reason', ...lines, ''].join('\r\n')], { type: 'text/csv' })
}
