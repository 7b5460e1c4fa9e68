import { useLoaderData } from 'react-router'
import { type HealthFound, HealthScreen } from '#web/features/manage/health-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<HealthFound>

export default function ManageHealth() {
  return <HealthScreen found={useLoaderData<Data>()} />
}
