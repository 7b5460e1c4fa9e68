import { endpoint, types } from '../endpoint.ts'

/** Server-sent events; `after`: the id of the last event received. */
export const followBox = endpoint('GET', '/api/box/:boxID/events', types<{ query: { after?: string } }>)
