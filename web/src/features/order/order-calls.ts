import type { OrderBox } from '@befaqt/domain/api/box-api'
import type { OrderComplaints } from '@befaqt/domain/api/complaint-api'
import type { OrderView } from '@befaqt/domain/api/order-api'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { isOver, type OrderState } from '@befaqt/domain/order-states'
import { useEffect, useEffectEvent } from 'react'
import { useRevalidator } from 'react-router'
import type { Part } from '#web/api/part.ts'

/** `linkKey`: of the signed link by which the order is seen; null: it is one's own. */
export type ActionProps = { order: OrderView; linkKey: string | null }

/** Which order a call is about. */
export const callInput = ({ order, linkKey }: { order: { _id: string }; linkKey: string | null }) => ({
  params: { id: order._id },
  query: linkKey === null ? {} : { key: linkKey },
})

/**
 * `link`: the key of the signed link by which it is seen; null: it is one's own. `confirm`: what only the link in its
 * email says; null: it was opened otherwise.
 */
type ByLink = { link: string | null; confirm: string | null }
export type OrderData = ByLink & {
  order: OrderView
  boxes: Part<OrderBox[]>
  complaints: Part<OrderComplaints>
}
export type WaitingData = ByLink & { waiting: WaitingOrder }

/** Reads the order again when its tab comes back to the front, while something may still happen to it. */
export function useFreshOrder(status: OrderState): void {
  const { revalidate, state } = useRevalidator()
  const mayChange = !isOver(status)
  const read = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && navigator.onLine && state === 'idle') void revalidate()
  })
  useEffect(() => {
    if (!mayChange) return
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [mayChange])
}
