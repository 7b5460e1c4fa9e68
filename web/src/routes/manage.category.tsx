import type { Paged } from '@befaqt/domain/api/box-api'
import { listCategories } from '@befaqt/domain/api/endpoints/categories'
import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { CategoryScreen } from '#web/features/manage/category/category-screen.tsx'
import { readManageQuery } from '#web/features/manage/list/list-query.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<Paged<ManagedCategory>>

export const loader = ({ request, context }: LoaderFunctionArgs): Promise<Data> =>
  readFor(
    request,
    context.get(shopApi)(listCategories, { query: readManageQuery(new URL(request.url).searchParams) }),
  )

export default function ManageCategory() {
  return <CategoryScreen found={useLoaderData<Data>()} />
}
