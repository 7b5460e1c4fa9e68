import type { ApiKeyView, NewApiKey } from '../../api-key.ts'
import { endpoint, types } from '../endpoint.ts'

type MakeKey = { body: NewApiKey; response: ApiKeyView & { key: string } }

export const listKeys = endpoint('GET', '/api/key', types<{ response: ApiKeyView[] }>)
export const makeKey = endpoint('POST', '/api/key', types<MakeKey>)
export const revokeKey = endpoint('DELETE', '/api/key/:id')
