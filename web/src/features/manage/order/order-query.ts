import { isMarketTime } from '@befaqt/domain/market-time'
import { type OrderState, orderStates } from '@befaqt/domain/order-states'
import { readManageQuery } from '../list/list-query.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

type OrderQuery = {
  page: number
  q?: string
  status?: OrderState | 'open' | 'decide'
  slot?: string
  day?: string
}

/** Does the URL of the queue ask for large first orders that wait to be confirmed? They are a list of their own. */
export const asksForWaiting = (params: URLSearchParams): boolean => params.get('status') === 'waiting'

/** What the URL of the queue asks for: open orders unless it names another state. Odd values are left out. */
export function orderQuery(params: URLSearchParams): OrderQuery {
  const { page = 1, q } = readManageQuery(params)
  const asked = params.get('status')
  const status =
    asked === 'all'
      ? undefined
      : ([...orderStates, 'decide' as const].find((state) => state === asked) ?? 'open')
  const slot = params.get('slot') ?? ''
  const day = params.get('day') ?? ''
  return {
    page,
    ...(q && { q }),
    ...(status && { status }),
    ...(UUID.test(slot) && { slot }),
    ...(isMarketTime(`${day} 00:00:00`) && { day }),
  }
}
