import type { ComponentProps } from 'react'
import { SelectField } from '#web/components/field.tsx'
import { statuses } from './manage-address.ts'

/** The choice among the three states of spec §3. */
export const StatusField = (props: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) => (
  <SelectField label="Status" name="status" {...props}>
    {statuses.map((status) => (
      <option key={status}>{status}</option>
    ))}
  </SelectField>
)
