import { readAttention } from '@befaqt/domain/api/endpoints/attention'
import { readLedgerHealth } from '@befaqt/domain/api/endpoints/ledger'
import type { Attention, LedgerHealth } from '@befaqt/domain/api/manage-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { Dashboard } from '#web/features/manage/dashboard.tsx'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<{ attention: Attention[]; health: LedgerHealth }>

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const call = context.get(shopApi)
  return readFor(
    request,
    Promise.all([call(readAttention), call(readLedgerHealth)]).then(([attention, health]) => ({
      attention,
      health,
    })),
  )
}

export default function Manage() {
  return <Dashboard found={useLoaderData<Data>()} />
}
