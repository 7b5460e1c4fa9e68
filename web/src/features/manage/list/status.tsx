import { statuses } from '@befaqt/domain/statuses'
import type { ComponentProps } from 'react'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { SelectField } from '#web/components/field.tsx'
import type { Filter } from './filter-bar.tsx'

const tones: Readonly<Record<string, BadgeTone>> = { ACTIVE: 'good', INACTIVE: 'warn', DISABLED: 'bad' }

/** The status of a row as a word. */
export const StatusMark = ({ status }: { status: string }) => (
  <Badge tone={tones[status] ?? 'plain'}>{status}</Badge>
)

/** The choice among the three states of spec §3. */
export const StatusField = (props: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) => (
  <SelectField label="Status" name="status" {...props}>
    {statuses.map((status) => (
      <option key={status}>{status}</option>
    ))}
  </SelectField>
)

/** Narrows a list to one status. */
export const statusFilter: Filter = {
  name: 'status',
  label: 'Status',
  all: 'Any status',
  choices: statuses.map((status) => [status, status]),
}
