import type { SlotSheet } from '@befaqt/domain/api/order-api'
import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { SlotDetail } from '#web/features/manage/slot/slot-detail.tsx'

type Data = Read<SlotSheet>

export default function ManageOneSlot() {
  return <SlotDetail found={useLoaderData<Data>()} />
}
