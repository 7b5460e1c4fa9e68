import type { Delivery } from '@befaqt/domain/api/checkout-api'
import { readDelivery } from '@befaqt/domain/api/endpoints/orders'
import type { Site } from '@befaqt/domain/api/site-api'
import { slotText } from '@befaqt/domain/moment-text'
import { type Cents, NO_MONEY } from '@befaqt/domain/money'
import { deliveryFee, feeText, tooLittle } from '@befaqt/domain/order-totals'
import { useCallback, useRef } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { isPostcode } from './slot-choice.ts'

/** What is known of deliveries to a postcode, for goods of so many cents. */
export type DeliveryTo = {
  /** As it is typed. */
  postcode: string
  /** Null: it is not known, or not asked. */
  found: Delivery | null
  /** Whether a time goes there, as far as is known. */
  goes: boolean
  /** What it costs, as far as is known. */
  fee: Cents
  /** Why nothing can be brought there; undefined: it can, or that is not known. */
  wrong: string | undefined
  failure: unknown
  /** Asks again: it may be another answer than before. */
  again: () => void
}

/**
 * What a delivery costs, asked when a postcode is whole. The shop says it again when the order is placed.
 * @param typed null: nothing is to be delivered
 * @param own the postcodes of a time that is this shopper's already, and may be taken by that
 */
export function useDelivery(
  typed: string | null,
  goods: number,
  own: readonly string[] | null | undefined = null,
): DeliveryTo {
  const postcode = typed !== null && isPostcode(typed) ? typed : null
  const { value, failure, again } = useRead(
    useCallback(
      async () => postcode && { postcode, ...(await callApi(readDelivery, { params: { postcode } })) },
      [postcode],
    ),
  )
  const latest = useRef(again)
  latest.current = again
  const found = value !== null && value !== '' && value.postcode === postcode ? value : null
  const area = found?.area ?? null
  const goes = found !== null && (found.next !== null || own?.includes(found.postcode) === true)
  return {
    postcode: postcode ?? '',
    found,
    goes,
    fee: goes ? deliveryFee(area, goods) : NO_MONEY,
    wrong:
      found === null
        ? undefined
        : goes
          ? (tooLittle(area, found.postcode, goods) ?? undefined)
          : `No delivery goes to ${found.postcode} at the moment.`,
    failure,
    again: () => latest.current(), // of the postcode by then, whoever kept it
  }
}

/** What is said of deliveries before there is a postcode. */
export const toYourDoor = (site: Pick<Site, 'deliveryFees'> | undefined): string =>
  `To your door, ${site?.deliveryFees ? 'for a fee by area' : 'at no charge'}`

/** What a delivery to a whole postcode costs, and with `hasTime` when the next one is. */
export function DeliveryNote({ to, hasTime = false }: { to: DeliveryTo; hasTime?: boolean }) {
  const { postcode, found, goes, failure, again } = to
  if (postcode === '') return <p role="status" />
  if (found === null && failure !== null)
    return (
      <p role="status" className="text-bad text-sm">
        What a delivery to {postcode} costs could not be read: {userMessage(failure)}{' '}
        <button type="button" onClick={again} className="link min-h-11">
          Try again
        </button>
      </p>
    )
  const area = found?.area ?? null
  return (
    <p role="status" className="muted">
      {found === null
        ? 'One moment…'
        : goes && (
            <>
              Delivery to {postcode}
              {area && ` (${area.area})`}: {feeText(area ?? { fee: 0, freeFrom: null })}.
              {hasTime && found.next && ` The next is ${slotText(found.next)}.`}
            </>
          )}
    </p>
  )
}
