import { useLoaderData } from 'react-router'
import { PackStation, type StationFound } from '#web/features/manage/order/packing/pack-station.tsx'
import type { Read } from '#web/features/manage/read.ts'

export default function ManagePacking() {
  return <PackStation found={useLoaderData<Read<StationFound>>()} />
}
