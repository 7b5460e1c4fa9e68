import { endpoint, types } from '../endpoint.ts'
import type { LedgerHealth } from '../manage-api.ts'

export const readLedgerHealth = endpoint('GET', '/api/chain/health', types<{ response: LedgerHealth }>)
