import { urlOf } from '@befaqt/domain/api/endpoint'
import { holdStock, releaseHold } from '@befaqt/domain/api/endpoints/order-page'
import type { Cart } from '@befaqt/domain/cart'
import { momentOf } from '@befaqt/domain/moment-text'
import type { OrderContact } from '@befaqt/domain/order'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { useMarketZone } from '#web/time/time.tsx'
import { useNow } from '#web/time/today.ts'
import { newKey, storedHold, storeHold, type Typed } from './checkout-draft.ts'
import { type Rejection, rejectionOf } from './rejection.ts'

const MINUTE_MS = 60_000

type Props = {
  hold: Hold | null
  /** A time is chosen and not kept, since it is not said who it is for. */
  timeIsOpen: boolean
  onRenew: () => void
}

/**
 * Until when the stock is held for this shopper, and at the end the button that renews the hold. Nothing without a
 * hold.
 */
export function HoldLine({ hold, timeIsOpen, onRenew }: Props) {
  const zone = useMarketZone()
  const now = useNow(new Date().toISOString())
  if (!hold?.expiresAt) return <p className="min-h-11" />
  const isOver = Date.parse(hold.expiresAt) < now + MINUTE_MS
  return (
    <p role="status" className="flex min-h-11 flex-wrap items-center gap-x-3 muted">
      {isOver ? (
        <>
          The time for which we keep it for you is ending.
          <Button variant="link" onClick={onRenew}>
            Keep it for 15 more minutes
          </Button>
        </>
      ) : (
        `Kept for you until ${momentOf(hold.expiresAt, zone)?.clock}.${timeIsOpen ? ' The time you chose is kept once name, email and phone are filled in.' : ''}`
      )}
    </p>
  )
}

/** So long after a change; steps of a quantity come one after the other. */
const SETTLE_MS = 400

type Hold = { id: string; expiresAt: string | null }
type Wanted = { lines: Cart; slot: string; contact: Contact | null; account: boolean }

/** Lines of an order or a hold. */
export const orderedLines = (lines: Cart) =>
  lines.map(({ _id, quantity, unit, preparation }) => ({
    product_id: _id,
    quantity,
    unit,
    ...(preparation && { preparation }),
  }))

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
    /** The id under which is held, or was asked to be: whoever orders before the answer came has their own hold, too. */
    holdId: useCallback(() => latest.current, []),
    renew: useCallback(() => setRenewals((count) => count + 1), []),
    /** The order has it now: there is nothing to end. */
    consumed: useCallback(() => {
      ended.current = true
    }, []),
  }
}

type Contact = z.infer<typeof OrderContact>

/** Who the order is for, once all of it is typed as an order needs it; null: not yet. */
export function useContact({ fname = '', lname = '', email = '', phone = '' }: Typed): Contact | null {
  const [contact, setContact] = useState<Contact | null>(null)
  useEffect(() => {
    let current = true
    const read = async () => {
      const { OrderContact } = await import('@befaqt/domain/order')
      const { data } = OrderContact.safeParse({ fname, lname, email, phone })
      if (current) setContact(data ?? null)
    }
    read().catch(() => undefined) // without the schema no time is held; placing the order says what is wrong
    return () => {
      current = false
    }
  }, [fname, lname, email, phone])
  return contact
}
