import type { Change } from '@befaqt/domain/api/manage-api'
import type { ReactNode } from 'react'
import type { FieldErrors } from '#web/features/account/use-form.ts'
import type { Progress } from './send.ts'

/** What an edit form is given. `draft`: what was typed before and could not be saved. */
export type FormProps<Row, Draft> = {
  row: Row
  draft: Draft | null
  /** What the shop refused of the draft, by field. */
  faults: FieldErrors
  onSave: (draft: Draft) => void
  onCancel: () => void
  onChange: () => void
}

/** All that lists of users, categories and products do differently. */
export type ListKind<Row extends { _id: string; version: number; status: string }, Draft> = {
  entity: Change['entity']
  /** What a row is called in labels and messages. */
  nameOf: (row: Row) => string
  /** Words for a value that says nothing by itself, in histories and comparisons. */
  said: (field: string, value: unknown) => string
  /** Column headings: what is sorted by, words; '' is not sorted by. */
  columns: readonly (readonly [sort: string, words: string])[]
  /** Classes of the grid that a row's cells stand in on a wide screen. */
  grid: string
  Cells: (props: { row: Row }) => ReactNode
  Form: (props: FormProps<Row, Draft>) => ReactNode
  /** The row as it will be when the draft is saved. */
  preview: (row: Row, draft: Draft) => Row
  save: (row: Row, draft: Draft, onProgress: Progress) => Promise<Row>
  remove: (row: Row) => Promise<void>
  /** Called when a save or delete went through: other parts of the page may show the row too. */
  settled?: () => void
}
