import { amendOrder } from '@befaqt/domain/api/endpoints/order-page'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_REASON } from '@befaqt/domain/limits'
import { cents, formatDollars } from '@befaqt/domain/money'
import { deliveryFee, tooLittle } from '@befaqt/domain/order-totals'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { TextAreaField } from '#web/components/field.tsx'
import { onSaleNow } from '#web/features/cart/check-cart.ts'
import { DeliveryNote, useDelivery } from '#web/features/checkout/delivery.tsx'
import { DirtyGuard, useDirty } from '#web/forms/dirty-guard.tsx'
import { type FieldErrors, serverErrors } from '#web/forms/field-errors.ts'
import { useViewer } from '#web/root-data.ts'
import { AddProduct } from './add-product.tsx'
import {
  addressOf,
  changeable,
  changesOf,
  chosenOf,
  goesThere,
  kindOf,
  linesOf,
  newAs,
  slotOf,
  sumsOf,
  takenOf,
  todayOf,
  untouched,
  wantedOf,
  withAdded,
  withoutAdded,
} from './amend-draft.ts'
import { AddressFields, KindField, TimeField } from './amend-fields.tsx'
import { AmendLine, double, refusedOf, shortOf } from './amend-line.tsx'
import { type ActionProps, callInput } from './order-calls.ts'

type Props = ActionProps & {
  busy: boolean
  failure: unknown
  onSave: (call: () => Promise<unknown>) => void
  onClose: () => void
}

/** What a buyer changes of a placed order. Fetched when it is asked for. */
export default function AmendForm(props: Props) {
  return (
    <DirtyGuard>
      <Form {...props} />
    </DirtyGuard>
  )
}

/** The same request has the same key, so that one whose answer was lost is made once. */
function useKey(): (body: string) => string {
  const last = useRef({ body: '', key: '' })
  return (body) => {
    if (last.current.body !== body) last.current = { body, key: crypto.randomUUID() }
    return last.current.key
  }
}

function Form({ busy, failure, onSave, onClose, ...about }: Props) {
  const { order } = about
  const [draft, setDraft] = useState(untouched)
  const heading = useRef<HTMLHeadingElement>(null)
  const keyOf = useKey()
  const viewer = useViewer()
  const ids = [
    ...new Set([
      ...changeable(order).map(({ product_id }) => product_id),
      ...draft.added.map(({ card }) => card._id),
    ]),
  ].join(',')
  const products = useRead(useCallback(() => onSaleNow(ids.split(',')), [ids]))
  const today = products.value ?? []
  const changes = changesOf(order, draft, today)
  const { setDirty, confirm } = useDirty('order', () => setDraft(untouched))
  useEffect(() => heading.current?.focus(), [])
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  const isDirty = changes !== null
  useEffect(() => setDirty(isDirty), [setDirty, isDirty])
  const kind = kindOf(order, draft)
  const address = addressOf(order, draft)
  const isThere = goesThere(order, draft)
  const asked = kind === 'delivery' && !isThere ? address.postcode : null
  const agreed = isThere ? (order.delivery ?? null) : null
  const { goods, totalWith } = sumsOf(order, draft, today)
  const delivery = useDelivery(asked, goods, order.slot.area)
  const little =
    goods < sumsOf(order, untouched, today).goods ? tooLittle(agreed, address.postcode, goods) : null
  const fee = isThere ? deliveryFee(agreed, goods) : delivery.fee
  const total = totalWith(fee)
  const short = shortOf(failure)
  const errors = errorsOf(failure)
  const atPostcode = errors.postcode ?? delivery.wrong
  const lines = linesOf(order, draft, today)
  const left = lines.filter((line) => wantedOf(draft, line) > 0)

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (changes === null) return confirm(onClose)
    // Without today's prices the shop decides: never more than was agreed on.
    const expected = products.value === null ? {} : { expectedTotal: total }
    const body = { ...changes, version: order.version, ...expected }
    const headers = { 'idempotency-key': keyOf(JSON.stringify(body)) }
    onSave(async () => {
      await callApi(amendOrder, { ...callInput(about), headers, body }).catch((error: unknown) => {
        products.again() // it may be that a price changed
        throw error
      })
      setDirty(false)
    })
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={save}
      aria-labelledby="amend"
      className="grid gap-6 rounded-lg border border-line p-5 sm:p-6"
    >
      <div>
        <h2 id="amend" ref={heading} tabIndex={-1} className="text-2xl">
          Change your order
        </h2>
        <p className="mt-1 text-slate">
          What you ordered keeps its price. What is taken out is free for others at once.
        </p>
      </div>
      <ul className="border-line border-t">
        {lines.map((line) => {
          const { key, product_id, unit } = line
          const [wanted, chosen] = [wantedOf(draft, line), chosenOf(draft, line)]
          const taken = takenOf(draft, lines, product_id, key)
          // It could be chosen here, and another tab chose it for another line since.
          const isDouble = wanted > 0 && key in draft.preparations && taken.includes(chosen)
          return (
            <AmendLine
              key={key}
              line={line}
              wanted={wanted}
              chosen={chosen}
              taken={taken}
              product={todayOf(today, product_id)}
              isLast={left.length === 1 && left[0] === line}
              refused={
                isDouble
                  ? double
                  : refusedOf(short, { product_id, preparation: chosen, wanted, left: 0 }, unit)
              }
              onChange={(quantity) =>
                setDraft((now) =>
                  quantity === 0 && line.quantity === 0
                    ? withoutAdded(now, key)
                    : { ...now, quantities: { ...now.quantities, [key]: quantity } },
                )
              }
              onChoose={(chosen) =>
                setDraft((now) => ({ ...now, preparations: { ...now.preparations, [key]: chosen } }))
              }
            />
          )
        })}
      </ul>
      <AddProduct
        order={viewer === null ? null : order._id}
        has={(id) => newAs(order, draft, today, id) === undefined}
        onAdd={(card) =>
          setDraft((now) => withAdded(now, card, newAs(order, now, today, card._id) ?? 'whole'))
        }
      />
      <KindField
        pickUp={order.pickUp}
        kind={kind}
        onChange={(kind) => setDraft((now) => ({ ...now, kind }))}
      />
      {kind === 'delivery' && (
        <>
          <AddressFields
            address={address}
            errors={{ ...errors, ...(atPostcode && { postcode: atPostcode }) }}
            isKept={viewer !== null}
            onChange={(address) => setDraft((now) => ({ ...now, address }))}
          />
          <DeliveryNote to={delivery} />
        </>
      )}
      <TimeField
        order={order}
        kind={kind}
        chosen={slotOf(order, draft)}
        postcode={kind === 'delivery' ? address.postcode : ''}
        error={errors.slot}
        onChange={(slot) => setDraft((now) => ({ ...now, slot }))}
      />
      <TextAreaField
        label="Note (optional)"
        rows={2}
        maxLength={MAX_REASON}
        value={draft.note ?? order.note}
        error={errors.note}
        onChange={({ currentTarget }) => {
          const note = currentTarget.value
          setDraft((now) => ({ ...now, note }))
        }}
      />
      <p className="text-lg" aria-live="polite">
        <b className="font-semibold">About {formatDollars(total)}</b>
        {total !== order.totals.total && `, instead of ${formatDollars(cents(order.totals.total))}`}
        {fee > 0 && `, with ${formatDollars(fee)} for delivery`}
        {little && <span className="block font-semibold text-bad text-sm">{little}</span>}
      </p>
      <Failure failure={failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-busy={busy}>
          {busy ? 'One moment…' : 'Save changes'}
        </Button>
        <Button variant="outline" onClick={() => confirm(onClose)}>
          Keep as it was
        </Button>
      </div>
    </form>
  )
}

/** What is wrong with a field, also where the shop says it of a time. */
function errorsOf(failure: unknown): FieldErrors {
  const fields = Object.entries(serverErrors(failure)).map(([path, message]) => [
    path.split('.').at(-1) ?? path,
    message,
  ])
  const isSlot = failure instanceof ShopError && failure.code === 'slot.unavailable'
  return { ...Object.fromEntries(fields), ...(isSlot && { slot: failure.message }) }
}

const marked = ['slot', 'street', 'suburb', 'state', 'postcode', 'note']

/** Is all that is wrong said beside its field? */
const isMarked = (failure: unknown): boolean => {
  const names = Object.keys(errorsOf(failure))
  return names.length > 0 && names.every((name) => marked.includes(name))
}

/** Why nothing was changed. What is wrong with a line is said beside it. */
function Failure({ failure }: { failure: unknown }) {
  if (failure === null) return null
  const code = failure instanceof ShopError ? failure.code : null
  return (
    <Alert tone="bad">
      <p className="font-semibold">Nothing was changed.</p>
      <p>
        {code === 'version.stale'
          ? 'This order was changed meanwhile, perhaps in another tab. What you did not touch is now as it is there: look at it, and save again.'
          : isMarked(failure)
            ? 'Something is missing or wrong. It is said beside what it is about.'
            : code === 'stock.insufficient'
              ? 'Not as much as you wanted can be had. It is said beside what it is about.'
              : userMessage(failure)}
      </p>
    </Alert>
  )
}
