import { readProfile } from '@befaqt/domain/api/endpoints/account'
import { listSlots } from '@befaqt/domain/api/endpoints/orders'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { slotHours, slotText } from '@befaqt/domain/moment-text'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { type PickUpPlace, pickUpText } from '@befaqt/domain/place'
import { useCallback } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { InputField, SelectField } from '#web/components/field.tsx'
import { KeptAddresses } from '#web/features/account/kept-addresses.tsx'
import { toYourDoor } from '#web/features/checkout/delivery.tsx'
import { daysOf, isPostcode } from '#web/features/checkout/slot-choice.ts'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useSite } from '#web/root-data.ts'
import type { Address } from './amend-draft.ts'

const states: readonly Address['state'][] = ['NSW', 'ACT', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']

/** `pickUp`: where the order is picked up by now; undefined: it is delivered. */
type KindProps = {
  kind: FulfilmentKind
  pickUp: PickUpPlace | undefined
  onChange: (kind: FulfilmentKind) => void
}

/** Pick-up or delivery. */
export function KindField({ kind, pickUp, onChange }: KindProps) {
  const site = useSite()
  const place = pickUp ?? site?.pickUp
  return (
    <SelectField
      label="How you get it"
      value={kind}
      hint={kind === 'pickup' ? `At ${place ? pickUpText(place) : 'the market'}` : toYourDoor(site)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === 'delivery' ? 'delivery' : 'pickup')}
    >
      <option value="pickup">Pick-up</option>
      <option value="delivery">Delivery</option>
    </SelectField>
  )
}

type ChosenProps = { address: Address; onChange: (address: Address) => void }

/** The addresses of the account that ordered. That they can't be read is no reason not to type one. */
function Kept({ address, onChange }: ChosenProps) {
  const { value } = useRead(useCallback(() => callApi(readProfile), []))
  if (value === null || value.addresses.length === 0) return null
  return (
    <KeptAddresses
      addresses={value.addresses}
      typed={address}
      onChoose={({ street, suburb, state, postcode }) => onChange({ street, suburb, state, postcode })}
    />
  )
}

/** `isKept`: whoever changes it has an account, which may keep addresses. */
type AddressProps = ChosenProps & { errors: FieldErrors; isKept: boolean }

/** Where a delivery goes to. */
export function AddressFields({ address, errors, isKept, onChange }: AddressProps) {
  const field = (name: 'street' | 'suburb' | 'postcode') => ({
    value: address[name],
    error: errors[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ ...address, [name]: currentTarget.value }),
  })
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-4 font-serif text-xl">Where to</legend>
      {isKept && <Kept address={address} onChange={onChange} />}
      <InputField label="Street and number" autoComplete="street-address" required {...field('street')} />
      <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <InputField label="Suburb" autoComplete="address-level2" required {...field('suburb')} />
        <SelectField
          label="State"
          autoComplete="address-level1"
          value={address.state}
          error={errors.state}
          onChange={({ currentTarget }) =>
            onChange({
              ...address,
              state: states.find((one) => one === currentTarget.value) ?? address.state,
            })
          }
        >
          {states.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </SelectField>
        <InputField
          label="Postcode"
          autoComplete="postal-code"
          inputMode="numeric"
          maxLength={4}
          required
          {...field('postcode')}
        />
      </div>
    </fieldset>
  )
}

type Slot = OrderView['slot']
type TimeProps = {
  order: OrderView
  kind: FulfilmentKind
  /** Null: none of another kind yet. */
  chosen: Slot | null
  /** As it is typed; of a delivery. */
  postcode: string
  error: string | undefined
  onChange: (slot: Slot | null) => void
}

/** The time: as it is, where the kind is, or one that still takes orders of this kind, and to this address. */
export function TimeField({ order, kind, chosen, postcode: typed, error, onChange }: TimeProps) {
  const { slot } = order
  const isAsBefore = kind === order.kind
  const postcode = isPostcode(typed) ? typed : undefined
  const { value, failure } = useRead(
    useCallback(
      () => callApi(listSlots, { query: { kind, ...(postcode !== undefined && { postcode }) } }),
      [kind, postcode],
    ),
  )
  const open = (value ?? []).filter((one) => one.kind === kind && one._id !== slot._id)
  const isListed = chosen === null || chosen._id === slot._id || open.some(({ _id }) => _id === chosen._id)
  return (
    <SelectField
      label="Time"
      value={chosen?._id ?? ''}
      error={error}
      hint={
        failure !== null
          ? `Other times could not be read: ${userMessage(failure)}`
          : value !== null &&
            open.length === 0 &&
            `No ${isAsBefore ? 'other ' : ''}time takes orders${postcode ? ` for ${postcode}` : ''} at the moment.`
      }
      onChange={({ currentTarget }) =>
        onChange(open.find(({ _id }) => _id === currentTarget.value) ?? (isAsBefore ? slot : null))
      }
    >
      {isAsBefore ? (
        <option value={slot._id}>{slotText(slot)}, as it is</option>
      ) : (
        <option value="">Choose a time</option>
      )}
      {!isListed && <option value={chosen._id}>{slotText(chosen)}, not for this address</option>}
      {daysOf(open).map(({ date, name, slots }) => (
        <optgroup key={date} label={name}>
          {slots.map((one) => (
            <option key={one._id} value={one._id}>
              {name}, {slotHours(one)}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}
