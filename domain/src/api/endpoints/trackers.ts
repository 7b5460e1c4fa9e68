import type { Assignment, TrackerView } from '../../tracker.ts'
import type { Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { ListQuery } from '../manage-api.ts'

type ListTrackers = { query: Pick<ListQuery, 'page' | 'size' | 'q'>; response: Paged<TrackerView> }
type Assign = { body: Assignment; response: TrackerView }

export const listTrackers = endpoint('GET', '/api/tracker', types<ListTrackers>)
export const assignTracker = endpoint('PUT', '/api/tracker/:id/assignment', types<Assign>)
export const receiveTive = endpoint('POST', '/api/tracking/tive')
export const receiveLorawan = endpoint('POST', '/api/tracking/lorawan')
