import { isOver, type OrderState } from '@befaqt/domain/order-states'
import { useEffect, useEffectEvent } from 'react'
import { useRevalidator } from 'react-router'

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
