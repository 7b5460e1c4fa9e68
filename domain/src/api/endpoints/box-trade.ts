import type { TradeView } from '../box-trade-api.ts'
import { endpoint, types } from '../endpoint.ts'

type ImportEpcis = { query: { dry?: 'true' }; body: unknown; response: EpcisImport }
type EpcisImport = {
  boxes: {
    boxID: string
    outcome: 'created' | 'unchanged' | 'differs'
    records: number
    notTaken: string[]
  }[]
}

export const readEpcis = endpoint('GET', '/api/box/:boxID/epcis')
export const readTrade = endpoint('GET', '/api/box/:boxID/trade', types<{ response: TradeView }>)
export const importEpcis = endpoint('POST', '/api/box/epcis', types<ImportEpcis>)
/** `profile`: of a regulator; `from` and `to`: days of the catch, `YYYY-MM-DD`. */
export const exportTrade = endpoint(
  'GET',
  '/api/box/epcis',
  types<{ query: { profile: 'fsma204'; from: string; to: string } }>,
)
