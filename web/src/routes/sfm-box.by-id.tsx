import type { BoxListRow, Paged } from '@befaqt/domain/api/box-api'
import { listBoxes } from '@befaqt/domain/api/endpoints/boxes'
import { boxPath } from '@befaqt/domain/page-paths'
import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { BoxList } from '#web/features/box/find/box-list.tsx'
import { PageHead } from '#web/head/page-head.tsx'

type Data = { found: Paged<BoxListRow>; q: string }

const SIZE = 20

/** A search that names one box leads to it; any other lists what fits. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Data | Response> {
  const query = new URL(request.url).searchParams
  const q = (query.get('q') ?? '').trim().slice(0, 100)
  const page = Math.max(1, Math.min(100_000, Math.floor(Number(query.get('page'))) || 1))
  const found = await context.get(shopApi)(listBoxes, { query: { page, size: SIZE, ...(q && { q }) } })
  const named = q === '' ? undefined : found.rows.find(({ boxID }) => boxID === q || found.total === 1)
  return named ? redirect(boxPath(named.boxID)) : { found, q }
}

const describe = () => ({
  title: 'Fish boxes',
  description: 'Find a fish box by its number and see its history from catch to assessment.',
})

export default function SfmBoxes() {
  const { found, q } = useLoaderData<Data>()
  return (
    <>
      <PageHead describe={describe} />
      <BoxList found={found} q={q} />
    </>
  )
}
