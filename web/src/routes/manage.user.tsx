import type { Paged } from '@befaqt/domain/api/box-api'
import { listUsers } from '@befaqt/domain/api/endpoints/users'
import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { readManageQuery } from '#web/features/manage/list/list-query.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'
import { UserScreen } from '#web/features/manage/user/user-screen.tsx'

type Data = Read<Paged<ManagedUser>>

export const loader = ({ request, context }: LoaderFunctionArgs): Promise<Data> =>
  readFor(
    request,
    context.get(shopApi)(listUsers, { query: readManageQuery(new URL(request.url).searchParams) }),
  )

export default function ManageUser() {
  return <UserScreen found={useLoaderData<Data>()} />
}
