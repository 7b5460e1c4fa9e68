import fc from 'fast-check'
import type { Box } from '../box.ts'
import { isSkippedTime, MARKET_TIME_ZONE } from '../market-time.ts'

const UTC_2020 = Date.UTC(2020, 0, 1)
const UTC_2026 = Date.UTC(2026, 0, 1)

const rfc = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Times in both formats of records; none that daylight saving skips, which records may not have. */
const when = fc
  .tuple(fc.integer({ min: UTC_2020, max: UTC_2026 }), fc.boolean())
  .map(([at, local]) => (local ? rfc(at).slice(0, 19).replace('T', ' ') : rfc(at)))
  .filter((time) => !isSkippedTime(time, MARKET_TIME_ZONE))

const latitude = fc.oneof(fc.constant(0), fc.double({ min: -90, max: 90, noNaN: true }))
const longitude = fc.oneof(fc.constant(0), fc.double({ min: -180, max: 180, noNaN: true }))
const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const words = fc.stringMatching(/^[ -~äöé鯛🐟]{0,40}$/u)
const name = fc.stringMatching(/^[A-Za-z0-9 -]{1,20}$/)
const finding = fc.oneof(fraction, words)
const txHash = fc.option(fc.stringMatching(/^0x[0-9a-f]{64}$/))
const findings = { fish: finding, confidence: fraction, eye: finding, skin: finding }
const assessed = { operator: words, time: when, latitude, longitude }

const reading = fc.record({
  time: when,
  latitude,
  longitude,
  iotID: name,
  temperature: fc.double({ min: -60, max: 60, noNaN: true }),
  txHash,
})

const boxParts = fc.record({
  boxID: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  fisher: fc.record({
    traderID: name,
    traderName: words,
    companyName: words,
    boat: words,
    address: fc.constantFrom('', '1 Wharf Road\nCoffs Harbour'),
  }),
  catchProv: fc.option(
    fc.record({
      time: when,
      boat: words,
      latitude,
      longitude,
      locationCodeLat: fc.oneof(latitude, name),
      locationCodeLong: fc.oneof(longitude, name),
      method: words,
      img: fc.constantFrom('', 'box/catch-snapper.webp', 'https://example.org/fish.jpg'),
      species: name,
      size: fc.oneof(fc.nat(200), fc.constant('45 cm')),
      note: fc.constantFrom('', 'two lines\nof note'),
      txHash,
    }),
  ),
  iotResult: fc.option(
    fc.record({
      ...assessed,
      iotScore: fraction,
      confidence: fraction,
      iotTracking: fc.array(reading, { maxLength: 8 }),
    }),
  ),
  imageProc: fc.array(
    fc.record({
      ...assessed,
      imgScore: fraction,
      txHash,
      overallResult: fc.record(findings),
      resultPerImage: fc.array(fc.record({ image: fc.constantFrom('a.webp', 'b/c.jpg'), ...findings }), {
        maxLength: 3,
      }),
    }),
    { maxLength: 3 },
  ),
  e_nose: fc.array(
    fc.record({
      ...assessed,
      noseScore: fraction,
      confidence: fraction,
      txHash,
      resultPerTest: fc.array(
        fc.record({ noseScore: fraction, confidence: fraction, sensingData: fc.constant('enose/1.csv') }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 3 },
  ),
  freshness: fc.array(
    fc.record({
      freshnessIndex: fraction,
      time: when,
      conf_iot: fraction,
      conf_img: fraction,
      conf_enose: fraction,
      txHash,
    }),
    { maxLength: 4 },
  ),
})

/** Valid whole Boxes of every shape, as parsed from JSON, all with `txHash`es so that they survive a round trip. */
export const anyBox: fc.Arbitrary<Box> = boxParts.map((box): Box => JSON.parse(JSON.stringify(box)))

/** A small Box with something in every part, for tests that damage one field at a time. */
export const sampleBox = (): Box => ({
  boxID: '0345579444',
  fisher: {
    traderID: 'T-1',
    traderName: 'Sample Trader',
    companyName: 'Company (sample)',
    boat: 'Boat (sample)',
    address: '1 Wharf Road',
  },
  catchProv: {
    time: '2026-11-18 05:10:00',
    boat: 'Boat (sample)',
    latitude: -30.4,
    longitude: 153.4,
    locationCodeLat: -30.4,
    locationCodeLong: 153.4,
    method: 'line',
    img: 'box/catch-snapper.webp',
    species: 'Snapper',
    size: '45 cm',
    note: '',
    txHash: null,
  },
  iotResult: {
    operator: 'Sample operator',
    iotScore: 0.1,
    confidence: 0.9,
    time: '2026-11-18 07:00:00',
    latitude: -30.3,
    longitude: 153.1,
    iotTracking: [
      { time: '2026-11-18 06:00:00', latitude: -30.4, longitude: 153.3, iotID: 'L-1', temperature: 1.5 },
      { time: '2026-11-18 07:00:00', latitude: -30.3, longitude: 153.1, iotID: 'L-1', temperature: 1.4 },
    ],
  },
  imageProc: [
    {
      operator: 'E-eye',
      imgScore: 0.1,
      time: '2026-11-19 05:00:00',
      latitude: -33.9,
      longitude: 151.2,
      overallResult: { fish: 'Snapper', confidence: 0.9, eye: 0.1, skin: 'bright' },
      resultPerImage: [
        { image: 'box/eye-snapper.webp', fish: 'Snapper', confidence: 0.9, eye: 0.1, skin: 0.1 },
      ],
    },
  ],
  e_nose: [
    {
      operator: 'E-nose',
      noseScore: 0.1,
      confidence: 0.8,
      time: '2026-11-19 05:05:00',
      latitude: -33.9,
      longitude: 151.2,
      resultPerTest: [{ noseScore: 0.1, confidence: 0.8, sensingData: 'enose/0345579444-1.csv' }],
    },
  ],
  freshness: [
    { freshnessIndex: 0.1, time: '2026-11-19 05:10:00', conf_iot: 0.5, conf_img: 0.3, conf_enose: 0.2 },
  ],
})
