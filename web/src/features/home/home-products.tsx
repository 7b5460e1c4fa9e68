import type { ProductWindow } from '@befaqt/domain/catalogue'
import type { Part } from '#web/api/part.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { LoadFailure } from '#web/components/load-failure.tsx'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'

type Props = { products: Part<ProductWindow> }

function Shelf({ products: { value, error } }: Props) {
  if (value === null) return <LoadFailure what="products" message={error} />
  if (value.total === 0)
    return (
      <p className="text-lg text-slate">
        Nothing is on the slab right now. Look in again after the next auction.
      </p>
    )
  return (
    <>
      <ProductGrid
        products={value.rows}
        columns="cards-in-brief grid-cols-2 gap-y-4 sm:gap-y-10 md:grid-cols-3 xl:grid-cols-4"
      />
      {value.total > value.rows.length && (
        <p className="mt-6 sm:mt-8">
          <ButtonLink to="/product">All {value.total.toLocaleString('en-AU')} products</ButtonLink>
        </p>
      )}
    </>
  )
}

/** The first active products under the landing page, with the way to all of them. Source: spec §2, product.md. */
export function HomeProducts(props: Props) {
  return (
    <section aria-labelledby="products" className="wrap pt-8 lg:pt-20">
      <h2 id="products" className="mb-4 text-3xl lg:mb-8 lg:text-4xl">
        Seafood Products
      </h2>
      <Shelf {...props} />
    </section>
  )
}
