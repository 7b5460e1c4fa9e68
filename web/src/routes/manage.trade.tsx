import { listTrade } from '@befaqt/domain/api/endpoints/box-trade'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { type Read, readFor } from '#web/features/manage/read.ts'
import { tradeQuery } from '#web/features/manage/trade/trade-query.ts'
import { type TradeFound, TradeScreen } from '#web/features/manage/trade/trade-screen.tsx'

type Data = Read<TradeFound>

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const { choice, page } = tradeQuery(new URL(request.url).searchParams)
  const reading =
    choice === null
      ? Promise.resolve(null)
      : context
          .get(shopApi)(listTrade, { query: { ...choice, page } })
          .then((boxes) => ({ choice, boxes }))
  return readFor(request, reading)
}

export default function ManageTrade() {
  return <TradeScreen found={useLoaderData<Data>()} />
}
