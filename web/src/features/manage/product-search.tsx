import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { useRef, useState } from 'react'
import { fetchApi } from '#web/api/fetch-api.ts'
import { visitorWords } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { useHydrated } from '#web/features/account/use-hydrated.ts'
import { ErrorBanner } from './error-banner.tsx'

const SHOWN = 8

/** Looks for products, a few at a time. An answer that a later search has overtaken is left aside. */
function useSearch() {
  const turn = useRef(0)
  const [found, setFound] = useState<(Paged<ManagedProduct> & { q: string }) | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const look = async (q: string, page: number, before: readonly ManagedProduct[]) => {
    const mine = ++turn.current
    setFailure(null)
    try {
      const next = await fetchApi.manageProducts({ q, page, size: SHOWN })
      if (mine === turn.current) setFound({ ...next, q, rows: [...before, ...next.rows] })
    } catch (error) {
      if (mine === turn.current) setFailure(visitorWords(error))
    }
  }
  return {
    found,
    failure,
    find: (q: string) => void look(q, 1, []),
    more: () => found && void look(found.q, found.page + 1, found.rows),
  }
}

/** Finds a product by words and hands it over. */
export function ProductSearch({ onChoose }: { onChoose: (product: ManagedProduct) => void }) {
  const { found, failure, find, more } = useSearch()
  const hydrated = useHydrated()
  return (
    <search>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          find(String(new FormData(event.currentTarget).get('q') ?? ''))
        }}
      >
        <div className="min-w-52 flex-1">
          <Field label="Find a product" name="q" type="search" maxLength={100} />
        </div>
        <Button type="submit" look="quiet" disabled={!hydrated}>
          Find
        </Button>
      </form>
      {failure && <ErrorBanner message={failure} />}
      <div role="status">{found?.total === 0 && <p className="py-2 text-slate">No product fits.</p>}</div>
      {found && found.rows.length > 0 && (
        <ul aria-label="Products found" className="mt-2 flex flex-wrap gap-2">
          {found.rows.map((product) => (
            <li key={product._id}>
              <Button look="quiet" className="px-3" onClick={() => onChoose(product)}>
                Add {product.title}
              </Button>
            </li>
          ))}
          {found.rows.length < found.total && (
            <li>
              <Button look="plain" className="px-3" onClick={more}>
                {found.total - found.rows.length} more
              </Button>
            </li>
          )}
        </ul>
      )}
    </search>
  )
}
