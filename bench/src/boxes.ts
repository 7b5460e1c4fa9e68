import type { Box } from '@befaqt/domain/box'
import type { Shop } from './shop.ts'

/** Minutes between two readings. */
const EVERY_MIN = 10

const place = { latitude: -33.5, longitude: 151.5 }

/** Time of reading number `i`, in the specification's format; daylight saving skips none of the first 52,000. */
const time = (i: number): string =>
  new Date(Date.UTC(2025, 9, 6) + i * EVERY_MIN * 60_000).toISOString().slice(0, 19).replace('T', ' ')

/** Reading number `i` of a logger in transit, synthetic. Values vary, as real ones do. */
export const readingOf = (i: number) => ({
  time: time(i),
  latitude: place.latitude - ((i * 7_919) % 10_007) / 1e5,
  longitude: place.longitude - ((i * 6_101) % 10_007) / 1e5,
  iotID: 'L-1',
  temperature: 1 + ((i * 7_919) % 101) / 100,
})

/** A synthetic whole Box with this many readings: as many records and four more. */
export const boxOf = (boxID: string, readings: number): Box => ({
  boxID,
  fisher: { traderID: 'B-1', traderName: 'Bench', companyName: 'Bench', boat: 'Bench', address: 'Bench' },
  catchProv: {
    time: time(0),
    boat: 'Bench',
    ...place,
    locationCodeLat: -33.5,
    locationCodeLong: 151.5,
    method: 'line',
    img: '',
    species: 'Snapper',
    size: '40 cm',
    note: '',
  },
  iotResult: {
    operator: 'Bench',
    iotScore: 0.1,
    confidence: 1,
    time: time(readings),
    ...place,
    iotTracking: Array.from({ length: readings }, (_, i) => readingOf(i)),
  },
  imageProc: [],
  e_nose: [],
  freshness: [{ freshnessIndex: 0.2, time: time(readings), conf_iot: 1, conf_img: 0, conf_enose: 0 }],
})

/** Imports a Box that turns into `records` records. */
export async function importBox(
  { url, key }: Pick<Shop, 'url' | 'key'>,
  boxID: string,
  records: number,
): Promise<void> {
  const response = await fetch(`${url}/api/box`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(boxOf(boxID, records - 4)),
  })
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
}
