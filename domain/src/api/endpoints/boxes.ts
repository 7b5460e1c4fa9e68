import type { BoxListRow, BoxPageView, Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'

type ListBoxes = { query: { page?: number; size?: number; q?: string }; response: Paged<BoxListRow> }

export const listBoxes = endpoint('GET', '/api/box', types<ListBoxes>)
export const importBox = endpoint('POST', '/api/box')
export const readBox = endpoint('GET', '/api/box/:boxID')
export const readBoxPage = endpoint('GET', '/api/box/:boxID/page', types<{ response: BoxPageView }>)
export const readProof = endpoint('GET', '/api/box/:boxID/proof', types<{ response: object }>)
export const readAbsence = endpoint('GET', '/api/box/:boxID/absence')
