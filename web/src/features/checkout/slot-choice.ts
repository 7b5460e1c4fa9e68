import type { SlotView } from '@befaqt/domain/api/order-api'
import { momentOf } from '@befaqt/domain/moment-text'
import type { FulfilmentKind } from '@befaqt/domain/order-states'

/** What decides which times there are. */
type Wanted = { kind: FulfilmentKind; postcode: string }

/** A day with its times. */
type SlotDay = { date: string; name: string; slots: readonly SlotView[] }

/** Whether a postcode is whole, so that it can be said whether it is delivered to. */
export const isPostcode = (text: string): boolean => /^\d{4}$/.test(text)

/** The slots for a kind, and of a delivery to its postcode; before that is typed all of its kind. */
export const slotsFor = (slots: readonly SlotView[], { kind, postcode }: Wanted): SlotView[] =>
  slots.filter(
    (slot) =>
      slot.kind === kind &&
      (kind === 'pickup' || !isPostcode(postcode) || slot.area === null || slot.area.includes(postcode)),
  )

/** Slots by their days, each in its own zone, in the order in which they come. */
export function daysOf(slots: readonly SlotView[]): SlotDay[] {
  const byDate = Map.groupBy(slots, ({ startsAt, timeZone }) => momentOf(startsAt, timeZone)?.date ?? '')
  return [...byDate].map(([date, list]) => {
    const [first] = list
    const name = first && momentOf(first.startsAt, first.timeZone)?.day
    return { date, name: name ?? 'Unknown day', slots: list }
  })
}
