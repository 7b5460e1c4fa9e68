import type { ProfileView, SavedAddressView } from '@befaqt/domain/api/account-api'
import type { SlotView } from '@befaqt/domain/api/order-api'
import type { PlacedAnswer } from '@befaqt/domain/api/waiting-order-api'
import type { Cart } from '@befaqt/domain/cart'
import { repriced } from '@befaqt/domain/cart-reconcile'
import { withoutOrdered } from '@befaqt/domain/change-cart'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_REASON } from '@befaqt/domain/limits'
import { addCents, type Cents } from '@befaqt/domain/money'
import { cartTotals } from '@befaqt/domain/order-totals'
import { takesCard } from '@befaqt/domain/payment'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate, useRevalidator } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { TextAreaField } from '#web/components/field.tsx'
import { FailureAlert } from '#web/features/account/account-form.tsx'
import { notFetched } from '#web/features/account/schema-of.ts'
import { cart } from '#web/features/cart/cart-store.ts'
import type { Checked } from '#web/features/cart/check-cart.ts'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useSite } from '#web/root-data.ts'
import { dropPlaced, type OrderBody, storeTyped, type Typed, typedDraft } from './checkout-draft.ts'
import { ContactPart, PaymentPart } from './checkout-parts.tsx'
import { CouponDetails } from './coupon-details.tsx'
import type { AppliedCode } from './coupon-part.tsx'
import { useDelivery } from './delivery.tsx'
import { FulfilmentPart } from './fulfilment-part.tsx'
import { HoldLine, useContact, useHold } from './hold.tsx'
import type { Rejection } from './rejection.ts'
import { RejectionNotice, UnknownNotice } from './rejection-notice.tsx'
import { ReviewPart } from './review-part.tsx'
import { bodyOf, goAndPay, keepAddress, usePlace } from './use-place.ts'

const schema = async () => {
  const fetched = await import('./checkout-schema.ts').catch((cause: unknown) => {
    throw notFetched('Part of this form', cause)
  })
  return fetched.CheckoutFields
}

/** What the fields begin with: the draft, else the account's own. */
function initialOf(profile: ProfileView | null, slots: readonly SlotView[]): Typed {
  const { fname = '', lname = '', email = '', phone = '' } = profile ?? {}
  const kind = slots.some((slot) => slot.kind === 'pickup') ? 'pickup' : 'delivery'
  const preferred = profile?.addresses.find((one) => one.preferred)
  const typed = typedDraft()
  // A postcode alone was typed in the cart: it is not that of this address.
  const to = preferred && !('street' in typed) ? whereTo(preferred) : {}
  return { fname, lname, email, phone, kind, ...typed, ...to }
}

const whereTo = ({ street, suburb, state, postcode }: SavedAddressView) => ({
  street,
  suburb,
  state,
  postcode,
})

/** What can be read before ordering. What was typed stays in the tab. */
function ShopPages() {
  const pages = useSite()?.pages ?? []
  if (pages.length === 0) return null
  return (
    <nav aria-label="To read before you order" className="mt-4 text-sm">
      <ul className="flex flex-wrap gap-x-5">
        {pages.map(({ path, title }) => (
          <li key={path}>
            <Link to={path} className="link tap">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type Props = { slots: SlotView[]; profile: ProfileView | null; lines: Cart } & Pick<Checked, 'boxes'>

/** Whoever typed a code expects to pay less. */
function notApplied(): ShopError {
  const message = 'Apply this code, or clear it: your order would go without it.'
  return new ShopError('input.invalid', message, { fields: [{ path: 'coupon', message }] })
}

/** Contact, how and when, and the order as it will be: what is typed is kept over reloads and ended sessions. */
export default function CheckoutForm({ slots, profile, lines, boxes }: Props) {
  const [initial, setInitial] = useState(() => initialOf(profile, slots))
  const [fills, setFills] = useState(0)
  const [now] = useState(Date.now)
  const [typed, setTyped] = useState(initial)
  const [account, setAccount] = useState(profile !== null)
  const [code, setCode] = useState<AppliedCode | null>(null)
  const [rejection, setRejection] = useState<Rejection | null>(null)
  const [gone, setGone] = useState<Extract<Rejection, { why: 'slot' }> | null>(null)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const chosen = slots.find(({ _id, kind }) => _id === typed.slot && kind === typed.kind)
  const slot = chosen?._id ?? ''
  const hasCard = useSite()?.cardPayment === true
  const slotEndsAt = Date.parse(chosen?.endsAt ?? '') || now
  const coupon = code?.lines === lines ? code.checked : null
  const goods = cartTotals(lines).total
  const asked = typed.kind === 'delivery' ? (typed.postcode ?? '') : null
  const delivery = useDelivery(asked, goods, chosen?.area)
  const total = addCents([(coupon?.total ?? goods) as Cents, delivery.fee])
  const mayCard = hasCard && takesCard(total, slotEndsAt, now)
  const payment = mayCard && typed.payment === 'card' ? 'card' : 'later'

  const onRejected = (next: Rejection) => {
    setRejection(next)
    delivery.again()
    if (next.why === 'price') cart.reconcile((now) => repriced(now, next.prices))
    if (next.why !== 'slot') return
    setGone(next)
    setTyped(({ slot: _, ...rest }) => rest)
    void revalidate()
  }
  const contact = useContact(typed)
  const { hold, holdId, renew, consumed } = useHold({ lines, slot, contact, account }, onRejected)
  const onPlaced = async (placed: PlacedAnswer, body: OrderBody) => {
    consumed()
    const keeping = typed.keep === 'on' && account ? keepAddress(body) : null
    const { pathname, search } = new URL(placed.link)
    const isByCard = body.payment === 'card'
    await navigate(pathname + search, { replace: true, state: { placed: !isByCard } })
    cart.change((now) => withoutOrdered(now, body.lines))
    dropPlaced()
    await keeping
    if (isByCard) await goAndPay(placed)
  }
  const placing = usePlace({ onPlaced, onRejected })
  const form = useForm(schema, async (fields) => {
    setRejection(null)
    setGone(null)
    if (code === null && typed.coupon?.trim()) throw notApplied()
    const id = holdId()
    const held = id && !account ? { hold: id } : {}
    const reduced = code && { coupon: code.checked.code }
    const more = { expectedTotal: total, ...held, ...reduced, ...(account && { account }) }
    await placing.place(bodyOf(fields, lines, more))
  })
  const onChange = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const fields = [...new FormData(currentTarget)].map(([name, value]) => [name, String(value)])
    const now: Typed = { ...typed, keep: '', ...Object.fromEntries(fields) }
    setTyped(now)
    storeTyped(now)
    if (gone && now.slot) setGone(null)
  }
  const onCode = (next: AppliedCode | null) => {
    setCode(next)
    if (next !== null) return
    setTyped((before) => {
      const now = { ...before, coupon: '' } // what was typed while the code was asked for stays
      storeTyped(now)
      return now
    })
  }
  const onChoose = (address: SavedAddressView) => {
    const now: Typed = { ...typed, keep: '', ...whereTo(address) }
    setInitial(now)
    setFills(fills + 1)
    setTyped(now)
    storeTyped(now)
  }
  const open = placing.open !== null
  const atPostcode = form.errors.postcode ?? delivery.wrong
  const errors: FieldErrors = {
    ...form.errors,
    ...(gone && { slot: gone.message }),
    ...(atPostcode && { postcode: atPostcode }),
  }
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_24rem]"
    >
      <fieldset disabled={open} className="grid min-w-0 content-start gap-10">
        <legend className="sr-only">Contact and time</legend>
        <ContactPart errors={errors} typed={initial} account={account} />
        <FulfilmentPart
          slots={slots}
          errors={errors}
          initial={initial}
          typed={typed}
          fills={fills}
          delivery={delivery}
          addresses={account ? (profile?.addresses ?? null) : null}
          onChoose={onChoose}
        />
        {hasCard && <PaymentPart chosen={payment} takesCard={mayCard} error={errors.payment} />}
        <TextAreaField
          label="Note (optional)"
          name="note"
          rows={2}
          maxLength={MAX_REASON}
          hint="For whoever packs your order"
          defaultValue={initial.note}
          error={errors.note}
        />
      </fieldset>
      <section
        aria-labelledby="review"
        className="content-start self-start rounded-lg bg-ice p-5 sm:p-6 lg:sticky lg:top-20"
      >
        <ReviewPart
          lines={lines}
          boxes={boxes}
          payment={payment}
          coupon={coupon}
          fee={delivery.fee}
          total={total}
        />
        <CouponDetails
          lines={lines}
          account={account}
          typed={initial.coupon}
          applied={code}
          disabled={open}
          refused={form.errors.coupon}
          onApplied={onCode}
        />
        {!open && <FailureAlert failure={form.failure} onDismiss={form.dismiss} />}
        {open ? (
          <UnknownNotice
            rejection={rejection}
            busy={placing.busy}
            onAgain={() => void placing.again().catch(form.fail)}
            onGiveUp={() => {
              placing.giveUp()
              setRejection(null)
            }}
          />
        ) : (
          <>
            {rejection && (
              <RejectionNotice
                rejection={rejection}
                lines={lines}
                onGuest={() => {
                  setAccount(false)
                  setRejection(null)
                }}
              />
            )}
            <Button
              type="submit"
              variant="primary"
              disabled={!form.ready || (code !== null && coupon === null)}
              aria-busy={form.busy}
              className="mt-5 min-h-12 w-full"
            >
              {form.busy ? 'One moment…' : payment === 'card' ? 'Order and pay' : 'Place order'}
            </Button>
            <HoldLine hold={hold} timeIsOpen={slot !== '' && contact === null} onRenew={renew} />
            <ShopPages />
          </>
        )}
      </section>
    </form>
  )
}
