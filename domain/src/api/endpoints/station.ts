import { endpoint, type FormBody, types } from '../endpoint.ts'
import type { StationBox, StationView } from '../station-api.ts'

/* What a station reads before it sends results, and the results. */

export const readStation = endpoint('GET', '/api/station', types<{ response: StationView }>)
export const readStationBox = endpoint('GET', '/api/station/box/:boxID', types<{ response: StationBox }>)

type Added = { seq: number }

export const addImageResult = endpoint(
  'POST',
  '/api/box/:boxID/image',
  types<{ body: FormBody; response: Added }>,
)
export const addEnoseResult = endpoint(
  'POST',
  '/api/box/:boxID/enose',
  types<{ body: FormBody; response: Added }>,
)
