import type { Attention, LedgerHealth } from '@befaqt/domain/api/manage-api'
import { useLoaderData } from 'react-router'
import { Dashboard } from '#web/features/manage/dashboard.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<{ attention: Attention[]; health: LedgerHealth }>

export default function Manage() {
  return <Dashboard found={useLoaderData<Data>()} />
}
