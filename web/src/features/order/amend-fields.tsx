import { listSlots } from '@befaqt/domain/api/endpoints/orders'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { slotHours, slotText } from '@befaqt/domain/moment-text'
import { useCallback } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { InputField, SelectField } from '#web/components/field.tsx'
import { daysOf, isPostcode } from '#web/features/checkout/slot-choice.ts'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import type { Address } from './amend-draft.ts'

const states: readonly Address['state'][] = ['NSW', 'ACT', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']

type AddressProps = { address: Address; errors: FieldErrors; onChange: (address: Address) => void }

/** Where a delivery goes to. */
export function AddressFields({ address, errors, onChange }: AddressProps) {
  const field = (name: 'street' | 'suburb' | 'postcode') => ({
    value: address[name],
    error: errors[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ ...address, [name]: currentTarget.value }),
  })
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-4 font-serif text-xl">Where to</legend>
      <InputField label="Street and number" autoComplete="street-address" required {...field('street')} />
      <div className="grid gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
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
  chosen: Slot
  /** As it is typed; of a delivery. */
  postcode: string
  error: string | undefined
  onChange: (slot: Slot) => void
}

/** The time: as it is, or one that still takes orders of this kind, and to this address. */
export function TimeField({ order: { kind, slot }, chosen, postcode: typed, error, onChange }: TimeProps) {
  const postcode = isPostcode(typed) ? typed : undefined
  const { value, failure } = useRead(
    useCallback(
      () => callApi(listSlots, { query: { kind, ...(postcode !== undefined && { postcode }) } }),
      [kind, postcode],
    ),
  )
  const open = (value ?? []).filter(({ _id }) => _id !== slot._id)
  const isListed = chosen._id === slot._id || open.some(({ _id }) => _id === chosen._id)
  return (
    <SelectField
      label="Time"
      value={chosen._id}
      error={error}
      hint={
        failure !== null
          ? `Other times could not be read: ${userMessage(failure)}`
          : value !== null &&
            open.length === 0 &&
            `No other time takes orders${postcode ? ` for ${postcode}` : ''} at the moment.`
      }
      onChange={({ currentTarget }) => onChange(open.find(({ _id }) => _id === currentTarget.value) ?? slot)}
    >
      <option value={slot._id}>{slotText(slot)}, as it is</option>
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
