import { readLedgerHealth } from '@befaqt/domain/api/endpoints/ledger'
import { listManagedBoxes } from '@befaqt/domain/api/endpoints/managed-boxes'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { type BoxesFound, BoxScreen } from '#web/features/manage/box/box-screen.tsx'
import { readManageQuery, readStage } from '#web/features/manage/list/list-query.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<BoxesFound>

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const call = context.get(shopApi)
  const params = new URL(request.url).searchParams
  const { page = 1, q } = readManageQuery(params)
  const stage = readStage(params)
  const boxes = call(listManagedBoxes, {
    query: { page, ...(q && { q }), ...(stage && { stage }) },
  })
  return readFor(
    request,
    Promise.all([boxes, call(readLedgerHealth)]).then(([boxes, health]) => ({ boxes, health })),
  )
}

export default function ManageBox() {
  return <BoxScreen found={useLoaderData<Data>()} />
}
