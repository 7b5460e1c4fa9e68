import { linkProducts } from '@befaqt/domain/api/endpoints/managed-boxes'
import { listProducts } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { ManagedBox, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { MAX_QUANTITY, MAX_SEARCH } from '@befaqt/domain/limits'
import { parseNumber } from '@befaqt/domain/typed-number'
import { useCallback, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useDraft } from '#web/forms/use-kept-form.ts'
import { ErrorBanner, FailureBanner } from '../form-parts.tsx'
import { usePages } from '../list/use-pages.ts'

type Link = { _id: string; title: string; quantity: string }

const faultOf = ({ quantity }: Link): string | undefined => {
  const amount = parseNumber(quantity)
  return typeof amount === 'number' && amount >= 0 && amount <= MAX_QUANTITY
    ? undefined
    : 'must be a number from 0, like 12.5'
}

function useLinks({ boxID, products }: Pick<ManagedBox, 'boxID' | 'products'>, onSaved: () => void) {
  const form = useDraft('links', (): readonly Link[] =>
    products.map((product) => ({ ...product, quantity: String(product.quantity ?? '') })),
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

const SHOWN = 8

/** Finds products by words and hands over the one that is chosen. */
function ProductSearch({ onChoose }: { onChoose: (product: ManagedProduct) => void }) {
  const [search, setSearch] = useState<{ q: string; turn: number } | null>(null)
  const hydrated = useHydrated()
  return (
    <search>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const q = String(new FormData(event.currentTarget).get('q') ?? '')
          setSearch({ q, turn: (search?.turn ?? 0) + 1 })
        }}
      >
        <div className="min-w-52 flex-1">
          <InputField label="Find a product" name="q" type="search" maxLength={MAX_SEARCH} />
        </div>
        <Button type="submit" variant="outline" disabled={!hydrated}>
          Find
        </Button>
      </form>
      {search && <Found key={search.turn} q={search.q} onChoose={onChoose} />}
    </search>
  )
}

/** What was found, a few products at a time. */
function Found({ q, onChoose }: { q: string; onChoose: (product: ManagedProduct) => void }) {
  const read = useCallback((page: number) => callApi(listProducts, { query: { q, page, size: SHOWN } }), [q])
  const { rows, total, failure, more } = usePages(read, ({ _id }) => _id)
  const left = (total ?? 0) - rows.length
  return (
    <>
      {failure && <ErrorBanner message={failure} />}
      <div role="status">{total === 0 && <p className="py-2 text-slate">No products match.</p>}</div>
      {rows.length > 0 && (
        <ul aria-label="Products found" className="mt-2 flex flex-wrap gap-2">
          {rows.map((product) => (
            <li key={product._id}>
              <Button variant="outline" className="px-3" onClick={() => onChoose(product)}>
                Add {product.title}
              </Button>
            </li>
          ))}
          {left > 0 && (
            <li>
              <Button variant="link" className="px-3" onClick={more}>
                {left} more
              </Button>
            </li>
          )}
        </ul>
      )}
    </>
  )
}
