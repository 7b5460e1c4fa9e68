import type { SlotView } from '@befaqt/domain/api/order-api'
import { momentText, slotHours } from '@befaqt/domain/moment-text'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { pickUpText } from '@befaqt/domain/place'
import { useId } from 'react'
import { InputField, SelectField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useSite } from '#web/root-data.ts'
import { MarketZone } from '#web/time/time.tsx'
import { daysAway, useToday } from '#web/time/today.ts'
import type { Typed } from './checkout-draft.ts'
import { ChoiceCard } from './checkout-parts.tsx'
import { daysOf, isPostcode, slotsFor } from './slot-choice.ts'

const states = ['NSW', 'ACT', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']

type KindProps = {
  kind: FulfilmentKind
  label: string
  hint: string
  chosen: FulfilmentKind
  disabled: boolean
}

const Kind = ({ kind, chosen, ...rest }: KindProps) => (
  <ChoiceCard name="kind" value={kind} chosen={chosen === kind} defaultChecked={chosen === kind} {...rest} />
)

/** Where to, in Australia. */
function AddressFields({ errors, typed }: { errors: FieldErrors; typed: Typed }) {
  return (
    <div className="grid gap-5">
      <InputField
        label="Street and number"
        name="street"
        autoComplete="street-address"
        required
        defaultValue={typed.street}
        error={errors.street}
      />
      <div className="grid gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <InputField
          label="Suburb"
          name="suburb"
          autoComplete="address-level2"
          required
          defaultValue={typed.suburb}
          error={errors.suburb}
        />
        <SelectField
          label="State"
          name="state"
          autoComplete="address-level1"
          defaultValue={typed.state ?? states[0]}
          error={errors.state}
        >
          {states.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </SelectField>
        <InputField
          label="Postcode"
          name="postcode"
          autoComplete="postal-code"
          inputMode="numeric"
          maxLength={4}
          required
          defaultValue={typed.postcode}
          error={errors.postcode}
        />
      </div>
    </div>
  )
}

type Props = { slots: readonly SlotView[]; errors: FieldErrors; initial: Typed; typed: Typed }

/** How it reaches the shopper, and when. @param initial what the fields begin with; `typed`: what they hold now */
export function FulfilmentPart({ slots, errors, initial, typed }: Props) {
  const site = useSite()
  const kind: FulfilmentKind = typed.kind === 'delivery' ? 'delivery' : 'pickup'
  const has = (wanted: FulfilmentKind) => slots.some((slot) => slot.kind === wanted)
  const none = 'No time is open at the moment'
  return (
    <>
      <fieldset className="grid gap-3">
        <legend className="mb-4 font-serif text-2xl">How you get it</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          <Kind
            kind="pickup"
            label="Pick-up"
            hint={has('pickup') ? `At ${site ? pickUpText(site.market) : 'the market'}` : none}
            chosen={kind}
            disabled={!has('pickup')}
          />
          <Kind
            kind="delivery"
            label="Delivery"
            hint={has('delivery') ? 'To your door, at no charge' : none}
            chosen={kind}
            disabled={!has('delivery')}
          />
        </div>
        {kind === 'delivery' && <AddressFields errors={errors} typed={initial} />}
      </fieldset>
      <SlotPart
        slots={slotsFor(slots, { kind, postcode: typed.postcode ?? '' })}
        kind={kind}
        typed={typed}
        error={errors.slot}
      />
    </>
  )
}

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

type SlotPartProps = {
  /** Those that can be chosen. */
  slots: readonly SlotView[]
  kind: FulfilmentKind
  typed: Typed
  error: string | undefined
}

/** When: a day, then a time of that day. */
function SlotPart({ slots, kind, typed, error }: SlotPartProps) {
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
