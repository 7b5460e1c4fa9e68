import { listExcursions, readExcursion, readExcursionSettings } from '@befaqt/domain/api/endpoints/excursions'
import type { ExcursionDetail, ExcursionState } from '@befaqt/domain/api/excursion-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { ExcursionDetailScreen } from '#web/features/manage/excursion/excursion-detail.tsx'
import { ExcursionScreen, type ExcursionsFound } from '#web/features/manage/excursion/excursion-screen.tsx'
import { readManageQuery } from '#web/features/manage/list/list-query.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = { one: Read<ExcursionDetail> } | { list: Read<ExcursionsFound> }

const states: readonly ExcursionState[] = ['open', 'ended', 'closed', 'withdrawn']

/** The list, and below it one excursion by its id. */
export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Data> {
  const call = context.get(shopApi)
  const id = params['*'] ?? ''
  if (id !== '') return { one: await readFor(request, call(readExcursion, { params: { id } })) }
  const search = new URL(request.url).searchParams
  const { page = 1 } = readManageQuery(search)
  const state = states.find((one) => one === search.get('state'))
  const found = call(listExcursions, { query: { page, ...(state && { state }) } })
  const both = Promise.all([found, call(readExcursionSettings)])
  return {
    list: await readFor(
      request,
      both.then(([excursions, settings]) => ({ excursions, settings, state: state ?? null })),
    ),
  }
}

export default function ManageExcursion() {
  const data = useLoaderData<Data>()
  return 'one' in data ? <ExcursionDetailScreen found={data.one} /> : <ExcursionScreen found={data.list} />
}
