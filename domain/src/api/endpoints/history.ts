import type { Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { Change } from '../manage-api.ts'

type ReadHistory = {
  query: { entity: Change['entity']; id?: string; page?: number }
  response: Paged<Change>
}

export const readHistory = endpoint('GET', '/api/history', types<ReadHistory>)
