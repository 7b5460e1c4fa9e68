import { oneLine } from '@befaqt/domain/box-values'
import { ColumnMap, NamedColumnMap } from '@befaqt/domain/device-formats/logger-file'

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
