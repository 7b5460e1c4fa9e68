import type { SupplierList } from '@befaqt/domain/api/field-api'
import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { SupplierScreen } from '#web/features/manage/supplier/supplier-screen.tsx'

type Data = Read<SupplierList>

export default function ManageSupplier() {
  return <SupplierScreen found={useLoaderData<Data>()} />
}
