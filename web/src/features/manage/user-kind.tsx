import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { Badge } from '#web/components/badge.tsx'
import { manageCalls } from './calls.ts'
import { shownValue } from './differences.ts'
import type { UserForm as Draft } from './form-values.ts'
import type { ListKind } from './list-kind.ts'
import { StatusMark } from './status-mark.tsx'
import { UserForm } from './user-form.tsx'

function Cells({ row }: { row: ManagedUser }) {
  return (
    <>
      <span className="font-semibold max-lg:w-full">
        {row.fname} {row.lname}
      </span>
      <span className="min-w-0 wrap-anywhere">{row.email}</span>
      <span className={`text-slate ${row.phone === '' ? 'max-lg:hidden' : ''}`}>{row.phone || '–'}</span>
      <span>
        <Badge tone={row.role === 'ADMIN' ? 'teal' : 'plain'}>{row.role}</Badge>
      </span>
      <span>
        <StatusMark status={row.status} />
      </span>
    </>
  )
}

/** How accounts are listed and changed. */
export const userKind: ListKind<ManagedUser, Draft> = {
  entity: 'user',
  nameOf: ({ fname, lname }) => `${fname} ${lname}`,
  said: (_, value) => shownValue(value),
  columns: [
    ['name', 'Name'],
    ['email', 'Email'],
    ['', 'Phone'],
    ['role', 'Role'],
    ['status', 'Status'],
    ['', ''],
  ],
  grid: 'lg:grid-cols-[minmax(8rem,1fr)_minmax(12rem,1.4fr)_8rem_5rem_6.5rem_15rem]',
  Cells,
  Form: UserForm,
  preview: (row, draft) => ({ ...row, ...draft }),
  save: (row, draft) => manageCalls.saveUser(row, draft),
  remove: (row) => manageCalls.deleteUser(row),
}
