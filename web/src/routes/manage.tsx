import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { type TodayFound, TodayScreen } from '#web/features/manage/today/today-screen.tsx'

export default function Manage() {
  return <TodayScreen found={useLoaderData<Read<TodayFound>>()} />
}
