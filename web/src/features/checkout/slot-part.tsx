import type { SlotView } from '@befaqt/domain/api/order-api'
import { momentText, slotHours } from '@befaqt/domain/moment-text'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { useId } from 'react'
import { SelectField } from '#web/components/field.tsx'
import { daysAway } from '#web/time/days-away.ts'
import { MarketZone } from '#web/time/time.tsx'
import { useToday } from '#web/time/today.ts'
import type { Typed } from './checkout-draft.ts'
import { ChoiceCard } from './choice-card.tsx'
import { daysOf, isPostcode } from './slot-choice.ts'

/** From so few on it is said how many orders a time still takes. */
const FEW = 3

type TimeProps = { slot: SlotView; chosen: boolean; describedBy: string | undefined }

const Time = ({ slot, chosen, describedBy }: TimeProps) => (
  <ChoiceCard
    name="slot"
    value={slot._id}
    chosen={chosen}
    defaultChecked={chosen}
    aria-describedby={describedBy}
    label={slotHours(slot)}
    hint={
      <>
        order until {momentText(slot.cutOffAt, slot.timeZone)}
        {slot.left <= FEW && `, ${slot.left} left`}
      </>
    }
  />
)

type Props = {
  /** Those that can be chosen. */
  slots: readonly SlotView[]
  kind: FulfilmentKind
  typed: Typed
  error: string | undefined
}

/** When: a day, then a time of that day. */
export function SlotPart({ slots, kind, typed, error }: Props) {
  const id = useId()
  const today = useToday()
  const days = daysOf(slots)
  const ofSlot = days.find((day) => day.slots.some(({ _id }) => _id === typed.slot))
  const chosen = days.find(({ date }) => date === typed.day) ?? ofSlot ?? days[0]
  const postcode = typed.postcode ?? ''
  return (
    <fieldset className="grid gap-4" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-4 font-serif text-2xl">
        When <MarketZone />
      </legend>
      {chosen === undefined ? (
        <p role="status">
          {kind === 'delivery' && isPostcode(postcode)
            ? `We don’t deliver to ${postcode}. Choose pick-up, or another address.`
            : 'No time is open at the moment.'}
        </p>
      ) : (
        <>
          <SelectField label="Day" name="day" value={chosen.date} onChange={() => undefined}>
            {days.map(({ date, name }) => (
              <option key={date} value={date}>
                {name}, {daysAway(today, date)}
              </option>
            ))}
          </SelectField>
          <div className="grid gap-3 sm:grid-cols-2">
            {chosen.slots.map((slot) => (
              <Time
                key={slot._id}
                slot={slot}
                chosen={slot._id === typed.slot}
                describedBy={error ? `${id}-error` : undefined}
              />
            ))}
          </div>
        </>
      )}
      {error && (
        <p id={`${id}-error`} className="font-semibold text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
