import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { useState } from 'react'
import { fetchApi } from '#web/api/fetch-api.ts'
import { visitorWords } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { ErrorBanner } from './error-banner.tsx'

const SHOWN = 8

/** Finds a product by words and hands it over. */
export function ProductSearch({ onChoose }: { onChoose: (product: ManagedProduct) => void }) {
  const [found, setFound] = useState<readonly ManagedProduct[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const look = async (q: string) => {
    setFailure(null)
    try {
      setFound((await fetchApi.manageProducts({ q, size: SHOWN })).rows)
    } catch (error) {
      setFailure(visitorWords(error))
    }
  }
  return (
    <search>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void look(String(new FormData(event.currentTarget).get('q') ?? ''))
        }}
      >
        <div className="min-w-52 flex-1">
          <Field label="Find a product" name="q" type="search" maxLength={100} />
        </div>
        <Button type="submit" look="quiet">
          Find
        </Button>
      </form>
      {failure && <ErrorBanner message={failure} />}
      <div role="status">{found?.length === 0 && <p className="py-2 text-slate">No product fits.</p>}</div>
      {found && found.length > 0 && (
        <ul aria-label="Products found" className="mt-2 flex flex-wrap gap-2">
          {found.map((product) => (
            <li key={product._id}>
              <Button look="quiet" className="px-3" onClick={() => onChoose(product)}>
                Add {product.title}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}
