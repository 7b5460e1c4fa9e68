import type { ImageView, ProductView } from '@befaqt/domain/catalogue'

type Shown = '_id' | 'title' | 'price' | 'discount' | 'unit' | 'stock' | 'shelfPos' | 'origin' | 'box'

/** What a card shows of a product; of pages of cards only this goes along for the browser to carry on from. */
export type CardProduct = Pick<ProductView, Shown> & { image: ImageView | null }

/** A product as its card shows it: with its first picture, without its description. */
export function cardOf(product: ProductView): CardProduct {
  const { _id, title, price, discount, unit, stock, shelfPos, origin, box } = product
  return { _id, title, price, discount, unit, stock, shelfPos, origin, box, image: product.images[0] ?? null }
}
