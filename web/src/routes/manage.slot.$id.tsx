import { readSlotSheet } from '@befaqt/domain/api/endpoints/managed-orders'
import type { SlotSheet } from '@befaqt/domain/api/order-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'
import { SlotDetail } from '#web/features/manage/slot/slot-detail.tsx'

type Data = Read<SlotSheet>

export const loader = ({ request, params, context }: LoaderFunctionArgs): Promise<Data> =>
  readFor(request, context.get(shopApi)(readSlotSheet, { params: { id: params.id ?? '' } }))

export default function ManageOneSlot() {
  return <SlotDetail found={useLoaderData<Data>()} />
}
