import type { Paged } from '@befaqt/domain/api/box-api'
import type { TrackerView } from '@befaqt/domain/tracker'
import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { TrackerScreen } from '#web/features/manage/tracker-screen.tsx'

type Data = Read<Paged<TrackerView>>

export default function ManageTracker() {
  return <TrackerScreen found={useLoaderData<Data>()} />
}
