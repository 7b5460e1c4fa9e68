import type { ShopApi } from '@befaqt/domain/api/shop-api'
import type { LoaderFunctionArgs } from 'react-router'
import { shopApi } from '#web/api/part.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Asked = { call: ShopApi; params: URLSearchParams; id: string }

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
