import type { Part } from '#web/api/part.ts'
import { LoadFailure } from '#web/components/load-failure.tsx'
import type { CardProduct } from '#web/features/catalogue/card-product.ts'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'

type Props = { products: Part<CardProduct[]> }

function Shelf({ products: { value, error } }: Props) {
  if (value === null) return <LoadFailure what="products" message={error} />
  if (value.length > 0) return <ProductGrid products={value} />
  return (
    <p className="text-lg text-slate">
      Nothing is on the slab right now. Look in again after the next auction.
    </p>
  )
}

/** All active products under the landing page. Source: spec §2, product.md. */
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
