import type { Account } from '@befaqt/domain/account'
import type { ColumnMap } from '#server/db/column-map.ts'
import { users } from '#server/db/schema/accounts.ts'

/** What people and managers edit or see of an account, each column once. What proves who one is stays out of it. */
export const accountColumns = {
  table: users,
  columns: {
    fname: { column: 'fname' },
    lname: { column: 'lname', sort: { key: 'name', by: users.search } },
    email: { column: 'email', sort: { key: 'email', by: users.emailKey } },
    phone: { column: 'phone' },
    role: { column: 'role', sort: { key: 'role', by: users.role } },
    status: { column: 'status', sort: { key: 'status', by: users.status } },
  },
} as const satisfies ColumnMap<typeof users, Omit<Account, '_id'>>
