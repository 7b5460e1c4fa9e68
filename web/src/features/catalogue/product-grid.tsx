import type { CardProduct } from './card-product.ts'
import { ProductCard } from './product-card.tsx'

type Props = {
  products: CardProduct[]
  /** How many of the first pictures are on the screen at once. */
  eager?: number
  /** A column less, where filters stand beside the grid. */
  narrow?: boolean
}

/** Cards that are laid out at once; a shop of 10,000 products takes seconds to lay them all out. */
const AT_ONCE = 24

/** Products in 2, 3 or 4 columns by width. Source: spec §2. */
export function ProductGrid({ products, eager = 0, narrow = false }: Props) {
  const columns = narrow
    ? 'md:grid-cols-3 lg:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4'
    : 'md:grid-cols-3 xl:grid-cols-4'
  return (
    <ul className={`grid grid-cols-2 gap-x-4 gap-y-10 sm:gap-x-6 ${columns}`}>
      {products.map((product, index) => (
        <li key={product._id} className={index < AT_ONCE ? undefined : 'when-near'}>
          <ProductCard product={product} eager={index < eager} />
        </li>
      ))}
    </ul>
  )
}
