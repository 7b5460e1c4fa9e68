import type { BoxListRow, BoxPageNews, BoxPageView, BuildView, ListPlace, Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'

/* Boxes, their readings, and the ledger that proves them. */

/** `after`: the id of the last event received of the box: only what came later is returned. */
type News<Response> = { query: { after: string }; response: Response }
type ListBoxes = { query: ListPlace & { q?: string }; response: Paged<BoxListRow> }

export const listBoxes = endpoint('GET', '/api/box', types<ListBoxes>)
export const importBox = endpoint('POST', '/api/box')
export const readBox = endpoint('GET', '/api/box/:boxID')
export const readBoxPage = endpoint('GET', '/api/box/:boxID/page', types<{ response: BoxPageView }>)
export const readBoxPageNews = endpoint('GET', '/api/box/:boxID/page/news', types<News<BoxPageNews>>)
/** `scales`: with the registers of scales also where no reading is signed. */
type ReadProof = { query: { log?: '1'; scales?: '1' }; response: object }
type ReadProofNews = { query: { after: string; scales?: '1' }; response: object }

export const readProof = endpoint('GET', '/api/box/:boxID/proof', types<ReadProof>)
export const readProofNews = endpoint('GET', '/api/box/:boxID/proof/news', types<ReadProofNews>)
export const readSummary = endpoint('GET', '/api/box/:boxID/summary')
export const readAbsence = endpoint('GET', '/api/box/:boxID/absence')

export const sendReadings = endpoint('POST', '/api/tracking')

export const listAnchors = endpoint('GET', '/api/anchor')
export const readAnchor = endpoint('GET', '/api/anchor/:index')

/** Which scripts and which checker the shop serves. */
export const readBuild = endpoint('GET', '/api/build', types<{ response: BuildView }>)

/** The shop's own node, for whoever has no other. */
export const readChain = endpoint('POST', '/api/chain/rpc')
export const mayReadChain = endpoint('OPTIONS', '/api/chain/rpc')
