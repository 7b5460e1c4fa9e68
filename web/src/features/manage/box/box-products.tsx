import { linkProducts } from '@befaqt/domain/api/endpoints/managed-boxes'
import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import { MAX_QUANTITY } from '@befaqt/domain/limits'
import { parseNumber } from '@befaqt/domain/typed-number'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useDraft } from '#web/forms/use-kept-form.ts'
import { FailureBanner } from '../form-parts.tsx'
import { ProductSearch } from '../list/product-search.tsx'

type Link = { _id: string; title: string; quantity: string }

const faultOf = ({ quantity }: Link): string | undefined => {
  const amount = parseNumber(quantity)
  return typeof amount === 'number' && amount >= 0 && amount <= MAX_QUANTITY
    ? undefined
    : 'must be a number from 0, like 12.5'
}

function useLinks({ boxID, products }: Pick<ManagedBox, 'boxID' | 'products'>, onSaved: () => void) {
  const form = useDraft('links', (): readonly Link[] =>
    products.map(({ _id, title, quantity }) => ({ _id, title, quantity: String(quantity ?? '') })),
  )
  const links = form.draft
  const [tried, setTried] = useState(false)
  const { busy, failure, run, dismiss } = useCall()
  const send = async () => {
    const body = links.map(({ _id, quantity }) => ({
      product_id: _id,
      quantity: Number(parseNumber(quantity)),
    }))
    await callApi(linkProducts, { params: { boxID }, body })
    form.saved()
    onSaved()
  }
  const save = () => {
    setTried(true)
    if (links.some((link) => faultOf(link))) dismiss()
    else void run(send)
  }
  return { links, tried, failure, busy, change: form.change, save }
}

type Props = { box: Pick<ManagedBox, 'boxID' | 'products'>; onSaved: () => void }

/** Which products come from a box, and how much of each it holds. */
export function BoxProducts({ box, onSaved }: Props) {
  const { links, tried, failure, busy, change, save } = useLinks(box, onSaved)
  const hydrated = useHydrated()
  return (
    <div className="grid gap-4">
      {failure !== null && <FailureBanner error={failure} />}
      {links.length === 0 && <p className="text-slate">No product on sale comes from this box yet.</p>}
      <ul aria-label="Linked products" className="grid gap-3">
        {links.map((link) => (
          <li key={link._id} className="flex flex-wrap items-end gap-3">
            <div className="w-full max-w-xs">
              <InputField
                label={`Quantity of ${link.title}`}
                inputMode="decimal"
                value={link.quantity}
                readOnly={!hydrated}
                error={tried ? faultOf(link) : undefined}
                onChange={(event) => {
                  const quantity = event.currentTarget.value
                  change(links.map((other) => (other === link ? { ...link, quantity } : other)))
                }}
              />
            </div>
            <Button
              variant="outline"
              className="px-3"
              disabled={!hydrated}
              aria-label={`Unlink ${link.title}`}
              onClick={() => change(links.filter((other) => other !== link))}
            >
              Unlink
            </Button>
          </li>
        ))}
      </ul>
      <ProductSearch
        onChoose={({ _id, title }) => {
          if (!links.some((link) => link._id === _id)) change([...links, { _id, title, quantity: '0' }])
        }}
      />
      <Button className="justify-self-start" disabled={!hydrated} aria-busy={busy} onClick={save}>
        {busy ? 'One moment…' : 'Save links'}
      </Button>
    </div>
  )
}
