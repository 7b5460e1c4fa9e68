import { endpoint, type FileBody, types } from '../endpoint.ts'
import type { ImportReport } from '../manage-api.ts'

type Import = { query: { dryRun?: '0' | '1' }; body: FileBody; response: ImportReport }

export const exportProducts = endpoint('GET', '/api/product/export.csv')
export const importProducts = endpoint('POST', '/api/product/import', types<Import>)
