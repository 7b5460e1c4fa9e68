import { ManagedAccount as Schema, type ManagedAccount as Values } from '@befaqt/domain/account'
import type { Paged } from '@befaqt/domain/api/box-api'
import { deleteUser, updateUser } from '@befaqt/domain/api/endpoints/manage'
import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { InputField, SelectField } from '#web/components/field.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Moment } from '#web/time/time.tsx'
import { type EditFormProps, ManagedTable } from './edited-list/managed-table.tsx'
import type { Resource } from './edited-list/row-drafts.ts'
import { useTyped } from './edited-list/typed.tsx'
import { useManagedList } from './edited-list/use-managed-list.ts'
import { FormActions } from './form-parts.tsx'
import { columnsOf } from './list/columns.tsx'
import { valueText } from './list/differences.ts'
import { FilterBar, StatusField, StatusMark, statusFilter } from './list/searched-list.tsx'
import { ManageLayout, ReadResult } from './manage-layout.tsx'
import type { Read } from './read.ts'

const sorts = [
  ['name', 'Name'],
  ['email', 'Email'],
  ['role', 'Role'],
  ['status', 'Status'],
  ['created', 'Member since'],
] as const

const nameOf = ({ fname, lname }: ManagedUser): string => `${fname} ${lname}`

const columns = columnsOf<'user', ManagedUser>('user', {
  name: {
    heading: 'Name',
    sort: 'name',
    isName: true,
    cell: (row) => <span className="font-semibold wrap-anywhere">{nameOf(row)}</span>,
  },
  email: {
    heading: 'Email',
    sort: 'email',
    cell: ({ email }) => <span className="wrap-anywhere">{email}</span>,
  },
  phone: {
    heading: 'Phone',
    className: "text-slate max-lg:empty:hidden lg:whitespace-nowrap lg:empty:before:content-['–']",
    cell: ({ phone }) => phone,
  },
  role: {
    heading: 'Role',
    sort: 'role',
    cell: ({ role }) => <Badge tone={role === 'ADMIN' ? 'teal' : 'plain'}>{role}</Badge>,
  },
  status: { heading: 'Status', sort: 'status', cell: ({ status }) => <StatusMark status={status} /> },
  since: {
    heading: 'Member since',
    sort: 'created',
    labelled: true,
    cell: ({ createdAt }) => createdAt && <Moment at={createdAt} />,
  },
})

const resource: Resource<ManagedUser, Values> = {
  entity: 'user',
  nameOf,
  valueText: (_, value) => valueText(value),
  valuesOf: ({ fname, lname, role, status }) => ({ fname, lname, role, status }),
  preview: (row, values) => ({ ...row, ...values }),
  save: ({ _id, version }, body) => callApi(updateUser, { params: { id: _id }, body, version }),
  remove: ({ _id }) => callApi(deleteUser, { params: { id: _id } }),
}

/** Manage User: a list only; accounts are made by their owners. Source: spec §2. */
export function UserScreen({ found }: { found: Read<Paged<ManagedUser>> }) {
  return (
    <ManageLayout>
      <FilterBar label="Search users" hint="Name, email or phone" filters={[statusFilter]} sorts={sorts} />
      <ReadResult found={found}>{(page) => <Users loaded={page} />}</ReadResult>
    </ManageLayout>
  )
}

function Users({ loaded }: { loaded: Paged<ManagedUser> }) {
  const list = useManagedList(resource, loaded)
  return (
    <>
      <ManagedTable
        caption="Users"
        resource={resource}
        list={list}
        columns={columns}
        empty="No accounts match."
        form={(props) => <UserForm {...props} />}
      />
      <ListPlaces {...list.page} thing="user" things="users" />
    </>
  )
}

/** Names, role and status of an account; email and phone are their owner's. Source: spec §6. */
function UserForm({ row, start, ...props }: EditFormProps<ManagedUser, Schema>) {
  const { onSave, onCancel, onDirty } = props
  const form = useForm(Schema, (input) => onSave(input))
  const tell = useTyped(form.formProps.ref, props)
  const onChange = () => {
    onDirty(true)
    tell()
  }
  const { errors } = form
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label={`Edit ${row.email}`}
      className="grid gap-4 py-2"
    >
      <p className="font-semibold">{row.email}</p>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <InputField label="First name" name="fname" defaultValue={start.fname} error={errors.fname} />
        <InputField label="Last name" name="lname" defaultValue={start.lname} error={errors.lname} />
        <SelectField label="Role" name="role" defaultValue={start.role} error={errors.role}>
          <option>USER</option>
          <option>SUPPLIER</option>
          <option>ADMIN</option>
        </SelectField>
        <StatusField defaultValue={start.status} error={errors.status} />
      </div>
      <FormActions ready={form.ready} busy={form.busy} onCancel={onCancel} />
    </form>
  )
}
