import type { Paged } from '@befaqt/domain/api/box-api'
import { listTrackers } from '@befaqt/domain/api/endpoints/trackers'
import type { TrackerView } from '@befaqt/domain/tracker'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { readManageQuery } from '#web/features/manage/list/list-query.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'
import { TrackerScreen } from '#web/features/manage/tracker/tracker-screen.tsx'

type Data = Read<Paged<TrackerView>>

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const { page = 1, q } = readManageQuery(new URL(request.url).searchParams)
  const query = { page, size: PAGE, ...(q && { q }) }
  return readFor(request, context.get(shopApi)(listTrackers, { query }))
}

/** Trackers of a page. */
const PAGE = 20

export default function ManageTracker() {
  return <TrackerScreen found={useLoaderData<Data>()} />
}
