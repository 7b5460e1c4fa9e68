import { urlOf } from '@befaqt/domain/api/endpoint'
import { holdStock, releaseHold } from '@befaqt/domain/api/endpoints/orders'
import type { Cart } from '@befaqt/domain/cart'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { newKey, storedHold, storeHold } from './checkout-draft.ts'
import { type Rejection, rejectionOf } from './rejection.ts'
import type { Contact } from './use-contact.ts'

/** So long after a change; steps of a quantity come one after the other. */
const SETTLE_MS = 400

export type Hold = { id: string; expiresAt: string | null }
type Wanted = { lines: Cart; slot: string; contact: Contact | null; account: boolean }

/** Lines of an order or a hold. */
export const orderedLines = (lines: Cart) => lines.map(({ _id, quantity }) => ({ product_id: _id, quantity }))

const linesIn = (wanted: string): ReturnType<typeof orderedLines> => JSON.parse(wanted).lines

/** Ends a hold, also while the page is being closed. One that is not ended ends by itself. */
function release(id: string): void {
  const { method } = releaseHold
  void fetch(urlOf(releaseHold, { params: { id } }), { method, keepalive: true }).catch(() => undefined)
}

/**
 * Keeps stock, and the slot once it is said who it is for, for this checkout, from when it opens, anew after each change, until it is left.
 * `rejected`: the shop says that something is not there any more. Without a connection nothing is said: placing the
 * order will.
 */
export function useHold(
  { lines, slot, contact, account }: Wanted,
  onRejected: (rejection: Rejection) => void,
) {
  const [hold, setHold] = useState<Hold | null>(null)
  const [renewals, setRenewals] = useState(0)
  const latest = useRef<string | null>(null)
  const queue = useRef(Promise.resolve())
  const ended = useRef(false)
  /** A change of these, or another renewal, makes a new hold. */
  const wanted = JSON.stringify({ lines: orderedLines(lines), renewals })
  const reject = useEffectEvent(onRejected)
  /** A time is held only for somebody; that a letter of the name changes needs no new hold. */
  const hasTime = slot !== '' && contact !== null
  const whose = useRef(contact)
  useEffect(() => {
    whose.current = contact
  }, [contact])

  useEffect(() => {
    let current = true
    const take = async () => {
      if (!current) return
      const id = latest.current ?? storedHold() ?? newKey()
      latest.current = id
      storeHold(id)
      const body = {
        lines: linesIn(wanted),
        hold: id,
        ...(hasTime && whose.current && { slot, contact: whose.current }),
        ...(account && { account: true as const }),
      }
      try {
        const { expiresAt } = await callApi(holdStock, { body })
        if (ended.current) release(id)
        else setHold({ id, expiresAt })
      } catch (error) {
        setHold(null)
        const rejection = rejectionOf(error)
        if (current && rejection.why !== 'unknown' && rejection.why !== 'refused') reject(rejection)
      }
    }
    const timer = setTimeout(() => {
      queue.current = queue.current.then(take)
    }, SETTLE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [wanted, slot, hasTime, account])

  useEffect(() => {
    ended.current = false
    const leave = () => {
      if (latest.current !== null && !ended.current) release(latest.current)
      ended.current = true
    }
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      ended.current = false
      setRenewals((count) => count + 1)
    }
    addEventListener('pagehide', leave)
    addEventListener('pageshow', comeBack)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', comeBack)
      leave()
    }
  }, [])

  return {
    hold,
    renew: useCallback(() => setRenewals((count) => count + 1), []),
    /** The order has it now: there is nothing to end. */
    consumed: useCallback(() => {
      ended.current = true
    }, []),
  }
}
