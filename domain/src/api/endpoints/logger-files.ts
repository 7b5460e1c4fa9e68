import type { ColumnMap, FilePreview, FileReport, NamedColumnMap } from '../../device-formats/logger-file.ts'
import { endpoint, type FileBody, types } from '../endpoint.ts'

type Import = {
  query: { box: string; map: string; serial?: string; dryRun?: '0' | '1'; after?: number; count?: number }
  body: FileBody
  response: FileReport
}

export const previewLoggerFile = endpoint(
  'POST',
  '/api/tracking/file/preview',
  types<{
    query: { delimiter?: ColumnMap['delimiter']; headerLine?: number }
    body: FileBody
    response: FilePreview
  }>,
)
export const importLoggerFile = endpoint('POST', '/api/tracking/file', types<Import>)
export const listColumnMaps = endpoint(
  'GET',
  '/api/tracking/column-map',
  types<{ response: NamedColumnMap[] }>,
)
export const saveColumnMap = endpoint('PUT', '/api/tracking/column-map', types<{ body: NamedColumnMap }>)
