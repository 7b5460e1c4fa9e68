import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { type TradeFound, TradeScreen } from '#web/features/manage/trade/trade-screen.tsx'

type Data = Read<TradeFound>

export default function ManageTrade() {
  return <TradeScreen found={useLoaderData<Data>()} />
}
