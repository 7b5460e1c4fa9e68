import { listFreshestToday } from '@befaqt/domain/api/endpoints/shop'
import type { ProductCard } from '@befaqt/domain/catalogue'
import { Link, useLoaderData } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useRead } from '#web/api/use-read.ts'
import { Skeleton } from '#web/components/spinner.tsx'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'
import { useViewer } from '#web/root-data.ts'

const readFreshest = () => callApi(listFreshestToday, {})

/**
 * How a cart becomes an order, and what an empty one can be filled with: what one bought before, and what is freshest today. Where that can't be read,
 * nothing takes its place: the way back to the shop stands above.
 */
export default function FreshestInstead() {
  const { freshest } = useLoaderData<{ freshest: ProductCard[] | null }>()
  const viewer = useViewer()
  return (
    <>
      <p className="max-w-prose text-lg text-slate">
        What you put in stays here until you order. You choose how a whole fish is cut in the cart, and a time
        for pick-up or delivery at the end.{' '}
        <Link to="/about/delivery" className="link">
          Times, areas and fees
        </Link>
      </p>
      {viewer && (
        <Link to="/user/order" className="link tap">
          Buy again what you ordered before
        </Link>
      )}
      {freshest === null ? <ReadFreshest /> : <Freshest products={freshest} />}
    </>
  )
}

function ReadFreshest() {
  const { value, failure } = useRead(readFreshest)
  if (value !== null) return <Freshest products={value} />
  return failure === null && <Skeleton className="mt-8 h-72 w-full" />
}

const Freshest = ({ products }: { products: ProductCard[] }) =>
  products.length > 0 && (
    <section aria-labelledby="freshest" className="mt-8 w-full">
      <h2 id="freshest" className="mb-5 text-2xl">
        Freshest today
      </h2>
      <ProductGrid products={products} />
    </section>
  )
