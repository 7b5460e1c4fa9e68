import type { NewUpload, RestoreState, StartRestore, Upload } from '../../restore.ts'
import { endpoint, type FileBody, types } from '../endpoint.ts'

type Headers = Readonly<Record<string, string>>

export const readRestore = endpoint(
  'GET',
  '/api/restore',
  types<{ headers: Headers; response: RestoreState }>,
)
export const beginUpload = endpoint(
  'POST',
  '/api/restore/upload',
  types<{ headers: Headers; body: NewUpload; response: Upload }>,
)
export const sendPart = endpoint(
  'PUT',
  '/api/restore/upload/:id/:offset',
  types<{ headers: Headers; body: FileBody; response: Upload }>,
)
export const removeUpload = endpoint('DELETE', '/api/restore/upload', types<{ headers: Headers }>)
export const startRestore = endpoint('POST', '/api/restore', types<{ headers: Headers; body: StartRestore }>)
