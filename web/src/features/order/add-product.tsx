import { listOwnOrders, readOrder } from '@befaqt/domain/api/endpoints/orders'
import { listProductsOnSale } from '@befaqt/domain/api/endpoints/shop'
import type { ProductCard } from '@befaqt/domain/catalogue'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import { useCallback, useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { InputField } from '#web/components/field.tsx'
import { onSaleNow } from '#web/features/cart/check-cart.ts'
import { SuggestedProduct } from '#web/features/shell/search-suggestions.tsx'
import { useAsOf } from '#web/time/today.ts'

/** Typing goes on for so long before it is asked about. */
const PAUSE_MS = 250
const SHOWN = 6

type Choice = { has: (id: string) => boolean; onAdd: (product: ProductCard) => void }
/** `order`: that is changed, of whose account is looked up what else it ordered; null: nobody is signed in. */
type Props = Choice & { order: string | null }

/** What is typed, once nothing more was typed for a while. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** So many of the account's last orders are looked through. */
const LAST_ORDERS = 4

/**
 * What is on sale of what the account of whoever is signed in ordered last.
 * @param but an order whose products are not meant
 */
async function boughtBefore(but: string): Promise<ProductCard[]> {
  const { rows } = await callApi(listOwnOrders, { query: { size: LAST_ORDERS } })
  const others = rows.filter(({ _id, status }) => _id !== but && status !== 'CANCELLED')
  const orders = await Promise.all(
    others.map(({ _id: id }) => callApi(readOrder, { params: { id }, query: {} })),
  )
  const ids = orders.flatMap(({ lines }) => lines.map(({ product_id }) => product_id))
  const products = await onSaleNow(ids)
  return products.map(({ images, ...product }) => ({
    ...product,
    image: images[0] ?? null,
    isPrepared: product.preparations.length > 0,
  }))
}

/** Finds products by the shop's search, or among what was ordered before, and hands over the one that is to be new in an order. */
export function AddProduct({ order, has, onAdd }: Props) {
  const [text, setText] = useState('')
  const [said, setSaid] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const q = useSettled(text.trim())
  const read = useCallback(
    async () => (q === '' ? null : await callApi(listProductsOnSale, { query: { q, size: SHOWN } })),
    [q],
  )
  const { value, failure } = useRead(read)
  const found = text.trim() === '' ? [] : (value?.rows ?? [])
  const more = (value?.total ?? 0) - found.length
  const before = useRead(useCallback(async () => (order === null ? [] : await boughtBefore(order)), [order]))
  const known = (before.value ?? []).filter(({ stock }) => stock > 0).slice(0, SHOWN)
  const add = (product: ProductCard) => {
    onAdd(product)
    setText('')
    setSaid(`${product.title} was added to the list.`)
    field.current?.focus()
  }
  return (
    <search className="grid gap-2">
      <InputField
        ref={field}
        label="Add a product"
        type="search"
        autoComplete="off"
        maxLength={MAX_SEARCH}
        value={text}
        error={failure === null ? undefined : `Products could not be read: ${userMessage(failure)}`}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setSaid('')
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault() // else it saves what is still being looked for
        }}
      />
      <p role="status" className="muted empty:hidden">
        {said ||
          (q !== '' &&
            text.trim() !== '' &&
            value !== null &&
            found.length === 0 &&
            'No product on sale matches.')}
      </p>
      {found.length > 0 && <Products label="Products found" products={found} has={has} onAdd={add} />}
      {text.trim() === '' && known.length > 0 && (
        <>
          <p className="muted">You ordered before:</p>
          <Products label="You ordered before" products={known} has={has} onAdd={add} />
        </>
      )}
      {found.length > 0 && more > 0 && <p className="muted">{more} more: type more of its name.</p>}
    </search>
  )
}

type ListProps = Choice & { label: string; products: readonly ProductCard[] }

function Products({ label, products, has, onAdd }: ListProps) {
  const now = useAsOf(products.map(({ box }) => box))
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-md border border-line">
      {products.map((product) => (
        <li key={product._id}>
          <button
            type="button"
            disabled={product.stock === 0 || has(product._id)}
            onClick={() => onAdd(product)}
            className="flex min-h-11 w-full items-center gap-3 px-3 py-1.5 text-left hover:bg-ice disabled:opacity-60"
          >
            <SuggestedProduct product={product} now={now} />
            <span className="ml-auto shrink-0 font-semibold text-teal">
              {has(product._id) ? 'In your order' : product.stock > 0 && 'Add'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
