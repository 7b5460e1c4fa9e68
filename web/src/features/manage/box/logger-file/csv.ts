import { oneLine } from '@befaqt/domain/box-values'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { ColumnMap, type FileReport, NamedColumnMap } from '@befaqt/domain/device-formats/logger-file'

/** Refused lines of a file as CSV. Headings are the file's own, so a spreadsheet must not run them. */
export function refusedCsv(bad: FileReport['bad']): Blob {
  const rows = bad.map(({ line, path, message }) => [line, path, message])
  return new Blob([csvHeader(['line', 'column', 'reason']), csvRows(rows)], { type: 'text/csv' })
}

/** Columns as the form sends them: `name`: to be remembered by, `iotID`: of the logger, where the file holds none. */
export const Columns = ColumnMap.extend({
  iotID: oneLine(100),
  name: NamedColumnMap.shape.name.or(oneLine(0)),
})
  .superRefine(({ serial, iotID }, context) => {
    if (serial === '' && iotID.trim() === '')
      context.addIssue({ code: 'custom', path: ['iotID'], message: 'is needed where no column holds it' })
  })
  .transform(({ iotID, name, ...map }) => ({ map, serial: iotID.trim(), name }))

/** How the file is read, what the logger is called, and under which name this is to be remembered; '': not. */
export type Columns = { map: ColumnMap; serial: string; name: string }
