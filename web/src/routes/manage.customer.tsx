import type { CustomerList } from '@befaqt/domain/api/desk-api'
import { useLoaderData } from 'react-router'
import { CustomerScreen } from '#web/features/manage/customer/customer-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

export default function ManageCustomer() {
  return <CustomerScreen found={useLoaderData<Read<CustomerList>>()} />
}
