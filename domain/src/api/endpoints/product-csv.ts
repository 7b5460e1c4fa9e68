import { endpoint, types } from '../endpoint.ts'
import type { ImportReport } from '../manage-api.ts'

/** `body`: the text of a CSV file. */
type Import = { query: { dryRun?: '0' | '1' }; body: string; response: ImportReport }

export const exportProducts = endpoint('GET', '/api/product/export.csv')
export const importProducts = endpoint('POST', '/api/product/import', types<Import>)
