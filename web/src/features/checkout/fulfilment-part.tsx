import type { SavedAddressView } from '@befaqt/domain/api/account-api'
import type { SlotView } from '@befaqt/domain/api/order-api'
import { MAX_ADDRESSES } from '@befaqt/domain/limits'
import { momentText, slotHours } from '@befaqt/domain/moment-text'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { pickUpText } from '@befaqt/domain/place'
import { useId } from 'react'
import { CheckboxField, SelectField } from '#web/components/field.tsx'
import { AddressFields } from '#web/features/account/address-fields.tsx'
import { isTyped, KeptAddresses } from '#web/features/account/kept-addresses.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useSite } from '#web/root-data.ts'
import { MarketZone } from '#web/time/time.tsx'
import { daysAway, useToday } from '#web/time/today.ts'
import type { Typed } from './checkout-draft.ts'
import { ChoiceCard } from './checkout-parts.tsx'
import { DeliveryNote, type DeliveryTo, toYourDoor } from './delivery.tsx'
import { daysOf, isPostcode, slotsFor } from './slot-choice.ts'

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

const canKeep = (addresses: readonly SavedAddressView[], typed: Typed): boolean =>
  addresses.length < MAX_ADDRESSES && !addresses.some((address) => isTyped(typed, address))

type Props = {
  slots: readonly SlotView[]
  errors: FieldErrors
  initial: Typed
  typed: Typed
  /** How often a kept address was chosen: what fields begin with shows only in new ones. */
  fills: number
  /** Of the account; null: whoever orders has none. */
  addresses: readonly SavedAddressView[] | null
  delivery: DeliveryTo
  onChoose: (address: SavedAddressView) => void
}

/** How it reaches the shopper, and when. @param initial what the fields begin with; `typed`: what they hold now */
export function FulfilmentPart(props: Props) {
  const { slots, errors, initial, typed, fills, addresses, delivery, onChoose } = props
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
            hint={has('pickup') ? `At ${site ? pickUpText(site.pickUp) : 'the market'}` : none}
            chosen={kind}
            disabled={!has('pickup')}
          />
          <Kind
            kind="delivery"
            label="Delivery"
            hint={has('delivery') ? toYourDoor(site) : none}
            chosen={kind}
            disabled={!has('delivery')}
          />
        </div>
        {kind === 'delivery' && (
          <>
            {addresses && addresses.length > 0 && (
              <KeptAddresses addresses={addresses} typed={typed} onChoose={onChoose} />
            )}
            <AddressFields key={fills} errors={errors} typed={initial} />
            <DeliveryNote to={delivery} />
            {addresses && canKeep(addresses, typed) && (
              <CheckboxField
                name="keep"
                label="Keep this address in my account"
                defaultChecked={typed.keep === 'on'}
              />
            )}
          </>
        )}
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
