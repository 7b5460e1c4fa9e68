import type { ProductWindow } from '@befaqt/domain/catalogue'
import type { Part } from '#web/api/part.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { LoadFailure } from '#web/components/load-failure.tsx'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'

type Props = { products: Part<ProductWindow> }

function Shelf({ products: { value, error } }: Props) {
  if (value === null) return <LoadFailure what="products" message={error} />
  if (value.total > value.rows.length)
    return (
      <div className="grid justify-items-start gap-8">
        <div className="w-full">
          <ProductGrid products={value.rows} />
        </div>
        <p className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <ButtonLink to="/product">All {value.total.toLocaleString('en-AU')} products</ButtonLink>
          <a href="/product?page=2" className="link inline-flex min-h-11 items-center">
            The next {Math.min(value.size, value.total - value.size)}
          </a>
        </p>
      </div>
    )
  if (value.total > 0) return <ProductGrid products={value.rows} />
  return (
    <p className="text-lg text-slate">
      Nothing is on the slab right now. Look in again after the next auction.
    </p>
  )
}

/** The first active products under the landing page, with links to all others. Source: spec §2, product.md. */
export function HomeProducts(props: Props) {
  return (
    <section aria-labelledby="products" className="wrap pt-20">
      <h2 id="products" className="mb-8 text-4xl">
        Seafood Products
      </h2>
      <Shelf {...props} />
    </section>
  )
}
