import { endpoint, type FormBody, types } from '../endpoint.ts'
import type { ListQuery, ManagedCategory } from '../manage-api.ts'

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
