import type { Status } from '../../fields.ts'
import { endpoint, type FileBody, type FormBody, types } from '../endpoint.ts'
import type {
  BulkChanged,
  BulkPreview,
  Duplicated,
  ImportReport,
  LinkedPictures,
  ListQuery,
  ManagedCategory,
  ManagedProduct,
  Undone,
} from '../manage-api.ts'

/** A change for many products. Price: a new one, an amount in dollars to add or subtract, or a factor. */
export type BulkUpdate = {
  category_id?: string
  status?: Status
  stock?: number
  /** Percent. */
  discount?: number
  priceValue?: number
  priceDelta?: number
  priceFactor?: number
  /** What is planned; moments in market time. */
  schedule?: {
    sale?: { from?: string | null; until?: string | null } | null
    markdown?: { percent: number; from?: string | null; until?: string | null } | null
  }
}
/** What narrows the list of products, without its order and pages. Empty: all products. */
export type ProductFilter = Pick<ListQuery, 'q' | 'status' | 'category' | 'draft'>

/** Which products a call is about: by their ids, or all that match a filter, which the caller knows to be `count`. */
export type ChosenProducts = { ids: string[] } | { filter: ProductFilter; count: number }

type ChangeProducts<Answer> = { body: ChosenProducts & { set: BulkUpdate }; response: Answer }

/** `key`: a UUID of this request. Sent again after an answer that was lost, it makes nothing twice. */
type DuplicateProducts = {
  body: ChosenProducts & { key: string }
  response: { rows: Duplicated[] }
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
export const changeProducts = endpoint(
  'POST',
  '/api/product/bulk',
  types<ChangeProducts<{ changed: number; rows: BulkChanged[] }>>,
)
export const previewChanges = endpoint(
  'POST',
  '/api/product/bulk/preview',
  types<ChangeProducts<BulkPreview>>,
)
export const duplicateProducts = endpoint('POST', '/api/product/duplicate', types<DuplicateProducts>)
export const undoChanges = endpoint(
  'POST',
  '/api/product/bulk/undo',
  types<{ body: { changes: number[] }; response: Undone }>,
)

/** `meant`: JSON, pairs of a category as the file has it and the title of the one that is meant. */
type Import = { query: { dryRun?: '0' | '1'; meant?: string }; body: FileBody; response: ImportReport }

export const exportProducts = endpoint('GET', '/api/product/export.csv')
export const importProducts = endpoint('POST', '/api/product/import', types<Import>)
export const listLinkedPictures = endpoint('GET', '/api/product/picture', types<{ response: LinkedPictures }>)
export const retryLinkedPicture = endpoint('POST', '/api/product/picture/:id/retry')
export const dropLinkedPicture = endpoint('DELETE', '/api/product/picture/:id')

export const listCategories = endpoint(
  'GET',
  '/api/category',
  types<{ query: ListQuery; rows: ManagedCategory }>,
)
export const readManagedCategory = endpoint(
  'GET',
  '/api/category/:id/manage',
  types<{ response: ManagedCategory }>,
)
export const createCategory = endpoint(
  'POST',
  '/api/category',
  types<{ body: FormBody; response: ManagedCategory }>,
)
export const updateCategory = endpoint(
  'PATCH',
  '/api/category/:id',
  types<{ body: FormBody; response: ManagedCategory }>,
)
export const deleteCategory = endpoint('DELETE', '/api/category/:id')
