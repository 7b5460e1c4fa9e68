import { type PickUpPlace, pickUpText } from '@befaqt/domain/place'
import type { WholeOrder } from '#server/orders/order-views.ts'

/** Octets of one line, without its end. Source: RFC 5545 §3.1. */
const LINE_OCTETS = 75

/** `place`: where orders are picked up; `page`: the order's own, by its signed link or for who is signed in. */
type Shop = { name: string; place: PickUpPlace; publicUrl: string; page: string; now: Date }

/**
 * The time of an order as a calendar file. Opened again after the time was changed or the order cancelled, it has a higher
 * SEQUENCE, and so replaces what it said before. Source: RFC 5545; RFC 5546 §3.2.1, §3.2.5.
 */
export function orderCalendar({ order, slot, contact }: WholeOrder, shop: Shop): string {
  const isCancelled = order.status === 'CANCELLED'
  const address = contact?.address
  const isPickup = order.kind === 'pickup'
  const where = isPickup
    ? pickUpText(shop.place)
    : address
      ? `${address.street}, ${address.suburb} ${address.state} ${address.postcode}`
      : ''
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${text(shop.name)}//Orders//EN`,
    `METHOD:${isCancelled ? 'CANCEL' : 'PUBLISH'}`,
    'BEGIN:VEVENT',
    `UID:${order.id}@${new URL(shop.publicUrl).hostname}`,
    `DTSTAMP:${utc(shop.now)}`,
    `SEQUENCE:${order.version}`,
    `DTSTART:${utc(slot.startsAt)}`,
    `DTEND:${utc(slot.endsAt)}`,
    `SUMMARY:${text(`${isPickup ? 'Pick up' : 'Delivery of'} order ${order.number}, ${shop.name}`)}`,
    ...(where === '' ? [] : [`LOCATION:${text(where)}`]),
    ...(isPickup ? [`GEO:${shop.place.latitude};${shop.place.longitude}`] : []),
    `URL:${shop.page}`,
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('')
}

/** '20261125T050000Z'. */
const utc = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Source: RFC 5545 §3.3.11. */
const text = (plain: string): string =>
  plain.replaceAll(/[\\;,]/g, (char) => `\\${char}`).replaceAll(/\r\n?|\n/g, '\\n')

/** A long line goes on in the next one, after a space; no character is cut in two. */
function folded(line: string): string {
  let [all, octets] = ['', 0]
  for (const char of line) {
    const size = Buffer.byteLength(char)
    if (octets + size > LINE_OCTETS) {
      all += '\r\n '
      octets = 1
    }
    all += char
    octets += size
  }
  return all
}
