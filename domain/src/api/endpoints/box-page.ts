import type { ListPlace, Paged } from '../box-api.ts'
import type { TradeBox, TradeView } from '../box-trade-api.ts'
import { endpoint, types } from '../endpoint.ts'

/* What the page of a box asks when it is used: documents for the trade, labels, news. Managers ask for many boxes. */

/** `from` and `to`: days of the catch, `YYYY-MM-DD`; or `box`: ids with commas between. */
type Choice = { from?: string; to?: string; box?: string }
type ListTrade = { query: Choice & Omit<ListPlace, 'size'>; response: Paged<TradeBox> }
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
/** `profile`: a document of GDST, or the spreadsheet of a regulator. */
export const exportTrade = endpoint(
  'GET',
  '/api/box/epcis',
  types<{ query: Choice & { profile: 'fsma204' | 'gdst' } }>,
)
export const listTrade = endpoint('GET', '/api/manage/trade', types<ListTrade>)

/** `box`: ids with commas between. */
type PrintLabels = { query: { box: string; format?: 'pdf' | 'zpl' } }

export const readLabel = endpoint('GET', '/api/box/:boxID/label.svg')
export const printLabels = endpoint('GET', '/api/manage/labels', types<PrintLabels>)

/** Server-sent events; `after`: the id of the last event received. */
export const followBox = endpoint('GET', '/api/box/:boxID/events', types<{ query: { after?: string } }>)
