import { endpoint, types } from '../endpoint.ts'
import type { StationBox, StationView } from '../station-api.ts'

/* What a station reads before it sends results (endpoints/results.ts). */

export const readStation = endpoint('GET', '/api/station', types<{ response: StationView }>)
export const readStationBox = endpoint('GET', '/api/station/box/:boxID', types<{ response: StationBox }>)
