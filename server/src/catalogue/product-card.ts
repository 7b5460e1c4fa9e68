import type { ProductCard, ProductView } from '@befaqt/domain/catalogue'

const cards = new WeakMap<ProductView, ProductCard>()

/** A product as its card shows it. The same card for the same object, so that what was rendered of it is used again. */
export function cardOf(product: ProductView): ProductCard {
  const made = cards.get(product) ?? newCard(product)
  cards.set(product, made)
  return made
}

function newCard(product: ProductView): ProductCard {
  const { _id, title, price, discount, unit, stock, shelfPos, origin, box, saleStopped } = product
  const image = product.images[0] ?? null
  return { _id, title, price, discount, unit, stock, shelfPos, origin, box, saleStopped, image }
}
