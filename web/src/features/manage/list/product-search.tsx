import { listProducts } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import { useCallback, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { ErrorBanner } from '../form-parts.tsx'
import { type PartAsked, usePages } from './use-pages.ts'

const SHOWN = 8

/** Finds products by words and hands over the one that is chosen. */
export function ProductSearch({ onChoose }: { onChoose: (product: ManagedProduct) => void }) {
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
  const read = useCallback(
    (at: PartAsked) => callApi(listProducts, { query: { q, size: SHOWN, ...at } }),
    [q],
  )
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
