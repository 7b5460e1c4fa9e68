import { listViews, readWaiting } from '@befaqt/domain/api/endpoints/manage'
import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { deskLists } from '@befaqt/domain/desk-views'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { readPart, shopApi } from '#web/api/part.ts'
import { type OnDesk, type Read, readFor, withParams } from '#web/features/manage/read.ts'

/** What a page is asked for, and who answers. */
export type Asked = { call: ShopApi; params: URLSearchParams; id: string }

/** What a page of managers reads; a failure is its red banner. `id` is what the path names. */
export const reads = <Data>(read: (asked: Asked) => Promise<Data>) => ({
  loader: ({ request, params, context }: LoaderFunctionArgs): Promise<Read<Data>> => {
    const id = params.id ?? params['*'] ?? ''
    return readFor(
      request,
      read({ call: context.get(shopApi), params: new URL(request.url).searchParams, id }),
    )
  },
})

/**
 * Where a view asks for something that there is not any more, the list is shown without it, at its own address: what is
 * done to all that match is about what is shown.
 */
export function withoutGone(
  path: string,
  params: URLSearchParams,
  name: string,
  isThere: (value: string) => boolean,
): void {
  const value = params.get(name)
  if (value && params.has('view') && !isThere(value))
    throw redirect(`${path}${withParams(params, { [name]: '' })}`)
}

type Page = { loader: (asked: LoaderFunctionArgs) => Promise<object> }

/** The views of the list that an address is about; undefined: it can't be kept as one. */
async function viewsAt({ request, context }: LoaderFunctionArgs): Promise<Pick<OnDesk, 'views'>> {
  const { pathname } = new URL(request.url)
  const list = deskLists.find((name) => pathname === `/manage/${name}`)
  if (list === undefined) return {}
  const read = await readPart(context, () => context.get(shopApi)(listViews, { query: { list } }))
  return { views: read.value?.views ?? null }
}

/**
 * Where a list that is opened without a question leads to: the view that it opens with. Not where it is in sight already,
 * or gone back to: it is read again, and must not turn into another list under somebody's hands.
 */
function opening({ url }: Request, views: OnDesk['views']): string | null {
  const { pathname, search } = new URL(url)
  const view = views?.find(({ opens }) => opens)
  if (view === undefined || search !== '') return null
  const isInSight =
    typeof window !== 'undefined' && window.location.pathname === pathname && window.location.search === ''
  return isInSight ? null : `${pathname}?${view.query === '' ? '' : `${view.query}&`}view=${view._id}`
}

/** Pages of the desk with what comes with each of them. */
export const onDesk = <Name extends string>(pages: Record<Name, Page>): Record<Name, Page> => {
  const withRail = ({ loader }: Page): Page => ({
    loader: async (asked): Promise<OnDesk> => {
      const [page, waiting, views] = await Promise.all([
        loader(asked),
        readPart(asked.context, () => asked.context.get(shopApi)(readWaiting)),
        viewsAt(asked),
      ])
      const to = opening(asked.request, views.views)
      if (to !== null) throw redirect(to)
      return { ...page, ...views, waiting: waiting.value }
    },
  })
  return Object.fromEntries(
    Object.entries<Page>(pages).map(([name, page]) => [name, withRail(page)]),
  ) as Record<Name, Page>
}
