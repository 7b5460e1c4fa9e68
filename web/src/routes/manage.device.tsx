import { useLoaderData } from 'react-router'
import { DeviceScreen, type DevicesFound } from '#web/features/manage/device/device-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<DevicesFound>

export default function ManageDevice() {
  return <DeviceScreen found={useLoaderData<Data>()} />
}
