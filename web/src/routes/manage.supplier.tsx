import { listSuppliers } from '@befaqt/domain/api/endpoints/suppliers'
import type { SupplierList } from '@befaqt/domain/api/field-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'
import { SupplierScreen } from '#web/features/manage/supplier/supplier-screen.tsx'

type Data = Read<SupplierList>

export const loader = ({ request, context }: LoaderFunctionArgs): Promise<Data> =>
  readFor(request, context.get(shopApi)(listSuppliers))

export default function ManageSupplier() {
  return <SupplierScreen found={useLoaderData<Data>()} />
}
