import { readBoxPage } from '@befaqt/domain/api/endpoints/boxes'
import { readManagedBox } from '@befaqt/domain/api/endpoints/managed-boxes'
import { listBoxOrders, readBoxBalance } from '@befaqt/domain/api/endpoints/managed-orders'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { BoxDetail, type BoxFound } from '#web/features/manage/box/box-detail.tsx'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = { boxID: string; found: Read<BoxFound> }

export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Data> {
  const call = context.get(shopApi)
  const boxID = params.boxID ?? ''
  const box = await call(readManagedBox, { params: { boxID } })
  return {
    boxID,
    found: await readFor(
      request,
      Promise.all([
        call(readBoxPage, { params: { boxID } }),
        call(readBoxBalance, { params: { boxID } }),
        call(listBoxOrders, { params: { boxID } }),
      ]).then(([page, balances, orders]) => ({ page, box, balances, orders })),
    ),
  }
}

export default function ManageOneBox() {
  return <BoxDetail {...useLoaderData<Data>()} />
}
