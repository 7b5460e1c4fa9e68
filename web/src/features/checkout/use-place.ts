import { placeOrder, startPayment } from '@befaqt/domain/api/endpoints/order-page'
import { addAddress } from '@befaqt/domain/api/endpoints/own-account'
import type { PlacedAnswer } from '@befaqt/domain/api/waiting-order-api'
import type { Cart } from '@befaqt/domain/cart'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_LABEL } from '@befaqt/domain/limits'
import { useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import {
  type Attempt,
  dropAttempt,
  newKey,
  type OrderBody,
  openAttempt,
  storeAttempt,
} from './checkout-draft.ts'
import type { CheckoutFields } from './checkout-schema.ts'
import { orderedLines } from './hold.tsx'
import { ofForm, type Rejection, rejectionOf, retryAfter } from './rejection.ts'

/** How often to request an order that the shop is still working on. */
const MAX_ASKS = 20

const pause = (seconds: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, seconds * 1_000)
  })

/** Sends an attempt, and again while the shop is still working on it. @throws what the shop refused it with */
async function send({ key, body }: Attempt): Promise<PlacedAnswer> {
  for (let asks = 1; ; asks++)
    try {
      return await callApi(placeOrder, { headers: { 'idempotency-key': key }, body })
    } catch (error) {
      const seconds = retryAfter(error)
      if (seconds === null || asks >= MAX_ASKS) throw error
      await pause(seconds)
    }
}

/** Answers that come before the shop has looked whether an earlier request with the same key was placed. */
const SAYS_NOTHING_OF_EARLIER: readonly Rejection['why'][] = ['logged-out', 'differs', 'refused']

/** Whether it is still unknown if an order was placed. @param wasOpen it was sent before, without an answer */
const isStillOpen = ({ why }: Rejection, wasOpen: boolean): boolean =>
  why === 'unknown' || (wasOpen && SAYS_NOTHING_OF_EARLIER.includes(why))

type More = Pick<OrderBody, 'hold' | 'account' | 'coupon' | 'expectedTotal'>

/** The order as it is sent. */
export function bodyOf(fields: CheckoutFields, lines: Cart, more: More): OrderBody {
  const { fname, lname, email, phone, slot, note } = fields
  const fulfilment =
    fields.kind === 'pickup'
      ? { kind: fields.kind, slot }
      : {
          kind: fields.kind,
          slot,
          address: {
            street: fields.street,
            suburb: fields.suburb,
            state: fields.state,
            postcode: fields.postcode,
          },
        }
  const contact = { fname, lname, email, phone }
  const paid = fields.payment === 'card' && { payment: fields.payment }
  return { lines: orderedLines(lines), contact, fulfilment, note, ...paid, ...more }
}

/** Leads to the page on which a placed order is paid. Where that fails, the order's own page offers it. */
export async function goAndPay({ _id: id, link }: PlacedAnswer): Promise<void> {
  const key = new URL(link).searchParams.get('key') ?? ''
  const page = await callApi(startPayment, { params: { id }, query: { key } }).catch(() => null)
  if (page) location.assign(page.url)
}

/** Keeps where an order goes, under its street. It is placed, so it is not told where that fails: one can add it later. */
export async function keepAddress({ fulfilment }: OrderBody): Promise<void> {
  if (fulfilment.kind !== 'delivery') return
  const label = fulfilment.address.street.slice(0, MAX_LABEL).trim()
  await callApi(addAddress, { body: { label, ...fulfilment.address, preferred: false } }).catch(() => null)
}

type Placing = {
  onPlaced: (placed: PlacedAnswer, body: OrderBody) => Promise<void>
  onRejected: (rejection: Rejection) => void
}

/**
 * Places an order once, however often it is pressed and whatever the network does: until an answer has come, only the
 * same request with the same key is sent again, also after a reload.
 */
export function usePlace({ onPlaced, onRejected }: Placing) {
  const [open, setOpen] = useState(openAttempt)
  const [busy, setBusy] = useState(false)
  const running = useRef(false)

  const run = async (attempt: Attempt): Promise<void> => {
    if (running.current) return
    running.current = true
    setBusy(true)
    storeAttempt(attempt)
    try {
      const placed = await send(attempt)
      await onPlaced(placed, attempt.body)
    } catch (error) {
      const rejection = rejectionOf(error)
      if (isStillOpen(rejection, open?.key === attempt.key)) setOpen(attempt)
      else {
        setOpen(null)
        dropAttempt()
      }
      if (error instanceof ShopError && error.fields.length > 0) throw ofForm(error)
      onRejected(rejection)
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return {
    /** An order of which it is not known whether it was placed. */
    open,
    busy,
    place: (body: OrderBody) => run({ key: newKey(), body }),
    again: async () => {
      if (open) await run(open)
    },
    /** Gives the open order up, so that it can be changed. */
    giveUp: () => {
      setOpen(null)
      dropAttempt()
    },
  }
}
