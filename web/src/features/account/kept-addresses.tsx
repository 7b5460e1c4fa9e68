import type { SavedAddressView } from '@befaqt/domain/api/account-api'
import { Button } from '#web/components/button.tsx'

/** An address as fields hold it. */
type Typed = { [Name in 'street' | 'suburb' | 'state' | 'postcode']?: string | undefined }

type Props = {
  addresses: readonly SavedAddressView[]
  typed: Typed
  onChoose: (address: SavedAddressView) => void
}

/** Do the fields hold this address? */
export const isTyped = (typed: Typed, { street, suburb, state, postcode }: SavedAddressView): boolean =>
  typed.street === street && typed.suburb === suburb && typed.state === state && typed.postcode === postcode

/** The addresses that the account keeps: one press fills the fields below. */
export const KeptAddresses = ({ addresses, typed, onChoose }: Props) => (
  <fieldset className="flex flex-wrap gap-3">
    <legend className="sr-only">Your addresses</legend>
    {addresses.map((address) => (
      <Button
        key={address._id}
        variant="outline"
        aria-pressed={isTyped(typed, address)}
        className="aria-pressed:border-teal aria-pressed:bg-teal-ice"
        onClick={() => onChoose(address)}
      >
        <span className="wrap-anywhere">
          {address.label}: {address.street}
        </span>
      </Button>
    ))}
  </fieldset>
)
