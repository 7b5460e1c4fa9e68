// What other features use of the catalogue, and all that they may import of it.

export {
  amountWanted,
  Backings,
  comeFromWeighed,
  isPlaced,
  isStopped,
  type Link,
  leftOfLink,
  measured,
  takenFromBox,
  wantsBox,
} from './backings.ts'
export { affectsCatalogue, boxOnCard, freshestBoxes, looksSameOnCards, storedSummary } from './box-cards.ts'
export type { Catalogue } from './catalogue.ts'
export { type CatalogueTx, type CatalogueWriter, changeCatalogue, LOOK_QUEUE } from './change-catalogue.ts'
export { followSchedulesJob, regularFollowing } from './products/follow-schedules.ts'
export { MAX_LINKS, once, quantity, replaceProductsOfBox } from './products/link-boxes.ts'
export { fetchPictureJob, linkedPictureRetention, PICTURE_QUEUE } from './products/linked-pictures.ts'
export { SCHEDULE_QUEUE } from './products/plan.ts'
export { batched, type ProductRow, productsFound } from './products/read-products.ts'
export { changeStock } from './products/write-many.ts'
export { isTradeName, titleNames } from './search/trade-name-of.ts'
export {
  backingOf,
  buyableOf,
  sellableUnits,
  withSellable,
} from './sellable.ts'
