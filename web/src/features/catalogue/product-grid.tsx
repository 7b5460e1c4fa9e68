import type { ProductView } from '@befaqt/domain/catalogue'
import { ProductCard } from './product-card.tsx'

type Props = {
  products: ProductView[]
  /** How many of the first pictures are on the screen at once. */
  eager?: number
  /** A column less, where filters stand beside the grid. */
  narrow?: boolean
}

/** Products in 2, 3 or 4 columns by width. Source: spec §2. */
export function ProductGrid({ products, eager = 0, narrow = false }: Props) {
  const columns = narrow
    ? 'md:grid-cols-3 lg:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4'
    : 'md:grid-cols-3 xl:grid-cols-4'
  return (
    <ul className={`grid grid-cols-2 gap-x-4 gap-y-10 sm:gap-x-6 ${columns}`}>
      {products.map((product, index) => (
        <li key={product._id}>
          <ProductCard product={product} eager={index < eager} />
        </li>
      ))}
    </ul>
  )
}
