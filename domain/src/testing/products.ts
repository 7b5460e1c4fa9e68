import fc from 'fast-check'
import type { CartProduct } from '../cart.ts'

/** An active product for tests, with the given fields. */
export const product = (id: string, over: Partial<CartProduct> = {}): CartProduct => ({
  _id: id,
  title: `Fish ${id}`,
  imagePaths: [`product/${id}.webp`],
  price: 12.5,
  includeGST: false,
  unit: 'kg',
  shelfPos: '1.1',
  status: 'ACTIVE',
  description: '',
  discount: 0,
  stock: 100,
  saleStopped: false,
  preparations: [],
  ...over,
})

/** One to eight products with different ids, prices of whole cents, some without stock. */
export const products: fc.Arbitrary<CartProduct[]> = fc
  .array(
    fc.record({
      price: fc.integer({ min: 0, max: 100_000 }).map((amount) => amount / 100),
      discount: fc.integer({ min: 0, max: 100 }),
      stock: fc.integer({ min: 0, max: 120 }),
      includeGST: fc.boolean(),
      unit: fc.constantFrom('kg', 'dozen', 'each'),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((list) => list.map((over, i) => product(`p${i}`, over)))
