// What other features use of the catalogue, and all that they may import of it.

export { affectsCatalogue, boxOnCard, freshestBoxes, looksSameOnCards, storedSummary } from './box-cards.ts'
export type { Catalogue } from './catalogue.ts'
export { type CatalogueTx, type CatalogueWriter, changeCatalogue } from './change-catalogue.ts'
export { changeStock } from './products/bulk-change.ts'
export { MAX_LINKS, once, quantity, replaceProductsOfBox } from './products/link-boxes.ts'
export { batched, type ProductRow } from './products/read-products.ts'
export {
  amountWanted,
  type Backing,
  backingOf,
  isPlaced,
  isStopped,
  type Link,
  leftOfLink,
  sellableUnits,
  takenFromBox,
  wantsBox,
  withSellable,
} from './sellable.ts'
