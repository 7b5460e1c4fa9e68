import type { Change } from '@befaqt/domain/api/manage-api'
import type { Progress } from '#web/api/upload.ts'
import type { Versioned } from './overlay.ts'

/** A row of the lists of users, categories and products. */
export type ManagedRow = Versioned & { status: string }

/** What lists of users, categories and products do differently. `Values`: what an edit form holds. */
export type Resource<Row extends ManagedRow, Values extends object> = {
  entity: Change['entity']
  /** What a row is called in labels and messages. */
  nameOf: (row: Row) => string
  /** A field's value as text, also where it says nothing by itself, for histories and comparisons. */
  valueText: (field: string, value: unknown) => string
  /** What the form of a row starts with. */
  valuesOf: (row: Row) => Values
  /** The row as it will be when these values are saved. */
  preview: (row: Row, values: Values) => Row
  /** Saves the changed fields of this version of the row. */
  save: (row: Row, changes: Partial<Values>, onProgress: Progress) => Promise<Row>
  remove: (row: Row) => Promise<void>
}
