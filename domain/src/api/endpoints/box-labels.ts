import { endpoint, types } from '../endpoint.ts'

/** `box`: ids with commas between. */
type PrintLabels = { query: { box: string; format?: 'pdf' | 'zpl' } }

export const readLabel = endpoint('GET', '/api/box/:boxID/label.svg')
export const printLabels = endpoint('GET', '/api/manage/labels', types<PrintLabels>)
