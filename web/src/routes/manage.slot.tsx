import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { SlotScreen, type SlotsFound } from '#web/features/manage/slot/slot-screen.tsx'

type Data = Read<SlotsFound>

export default function ManageSlot() {
  return <SlotScreen found={useLoaderData<Data>()} />
}
