import { useLoaderData } from 'react-router'
import { CustomerDetail, type CustomerFound } from '#web/features/manage/customer/customer-detail.tsx'
import type { Read } from '#web/features/manage/read.ts'

export default function ManageOneCustomer() {
  return <CustomerDetail found={useLoaderData<Read<CustomerFound>>()} />
}
