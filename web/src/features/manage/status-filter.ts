import type { Filter } from './filter-bar.tsx'
import { statuses } from './manage-address.ts'

/** Narrows a list to one status. */
export const statusFilter: Filter = {
  name: 'status',
  label: 'Status',
  all: 'Any status',
  choices: statuses.map((status) => [status, status]),
}
