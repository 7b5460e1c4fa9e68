import { endpoint, types } from '../endpoint.ts'

type ByLink = { query: { key?: string } }

export const readInvoice = endpoint('GET', '/api/order/:id/invoice.pdf', types<ByLink>)
export const readOriginProof = endpoint('GET', '/api/order/:id/origin.pdf', types<ByLink>)
export const exportOriginProof = endpoint('GET', '/api/order/:id/origin.csv', types<ByLink>)
export const readCalendar = endpoint('GET', '/api/order/:id/time.ics', types<ByLink>)
