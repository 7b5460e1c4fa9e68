import type { ImageView, ProductView } from '@befaqt/domain/catalogue'

type Shown =
  | '_id'
  | 'title'
  | 'price'
  | 'discount'
  | 'unit'
  | 'stock'
  | 'shelfPos'
  | 'origin'
  | 'box'
  | 'saleStopped'

/** What a card shows of a product; of pages of cards only this goes along for the browser to carry on from. */
export type CardProduct = Pick<ProductView, Shown> & { image: ImageView | null }

const cards = new WeakMap<ProductView, CardProduct>()

/** A product as its card shows it: with its first picture, without its description. The same card for the same object. */
export function cardOf(product: ProductView): CardProduct {
  const made = cards.get(product) ?? newCard(product)
  cards.set(product, made)
  return made
}

function newCard(product: ProductView): CardProduct {
  const { _id, title, price, discount, unit, stock, shelfPos, origin, box, saleStopped } = product
  const image = product.images[0] ?? null
  return { _id, title, price, discount, unit, stock, shelfPos, origin, box, saleStopped, image }
}
