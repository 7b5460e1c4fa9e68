import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { useLoaderData } from 'react-router'
import { CategoryScreen } from '#web/features/manage/category-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<Paged<ManagedCategory>>

export default function ManageCategory() {
  return <CategoryScreen found={useLoaderData<Data>()} />
}
