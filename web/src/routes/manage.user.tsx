import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { UserScreen } from '#web/features/manage/user-screen.tsx'

type Data = Read<Paged<ManagedUser>>

export default function ManageUser() {
  return <UserScreen found={useLoaderData<Data>()} />
}
