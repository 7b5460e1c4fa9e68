import type { Status } from '../../fields.ts'
import { endpoint, type FormBody, types } from '../endpoint.ts'
import type { BulkChanged, ListQuery, ManagedProduct, Undone } from '../manage-api.ts'

/** A change for many products. Price: a new one, an amount in dollars to add or subtract, or a factor. */
export type BulkUpdate = {
  status?: Status
  stock?: number
  priceValue?: number
  priceDelta?: number
  priceFactor?: number
}
type ChangeProducts = {
  body: { ids: string[]; set: BulkUpdate }
  response: { changed: number; rows: BulkChanged[] }
}

export const listProducts = endpoint('GET', '/api/product', types<{ query: ListQuery; rows: ManagedProduct }>)
export const readManagedProduct = endpoint(
  'GET',
  '/api/product/:id/manage',
  types<{ response: ManagedProduct }>,
)
export const createProduct = endpoint(
  'POST',
  '/api/product',
  types<{ body: FormBody; response: ManagedProduct }>,
)
export const updateProduct = endpoint(
  'PATCH',
  '/api/product/:id',
  types<{ body: FormBody; response: ManagedProduct }>,
)
export const deleteProduct = endpoint('DELETE', '/api/product/:id')
export const linkBoxes = endpoint('PUT', '/api/product/:id/boxes')
export const changeProducts = endpoint('POST', '/api/product/bulk', types<ChangeProducts>)
export const undoChanges = endpoint(
  'POST',
  '/api/product/bulk/undo',
  types<{ body: { changes: number[] }; response: Undone }>,
)
