import { z } from 'zod'
import {
  BoxID,
  FileLink,
  Finding,
  ForeignTxHash,
  Fraction,
  Latitude,
  Longitude,
  locationCode,
  Measure,
  mustBe,
  oneLine,
  someLines,
  Temperature,
  When,
} from './box-values.ts'
import { type Clock, rejectFutureTimes } from './future-times.ts'

/** Readings of one Box: 100 days at one every quarter hour. Devices send more through POST /api/tracking. */
export const MAX_READINGS = 10_000
const MAX_RESULTS = 500
const MAX_PICTURES = 200

/** A list of at most `max` items; a longer one is rejected before its items are validated. */
const list = <S extends z.ZodType>(item: S, max: number) =>
  z.array(item, mustBe('a list')).max(max, `must hold at most ${max} items`)

/** An object with exactly these fields. */
const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, mustBe('an object'))

const required = oneLine(200).min(1, 'is required')

/** Who caught the fish. Shown in full: see docs/decisions/0003-restricted-parts.md. Source: spec §3. */
export const Fisher = object({
  traderID: required,
  traderName: oneLine(200),
  companyName: oneLine(200),
  boat: oneLine(200),
  address: someLines(500),
})
export type Fisher = z.infer<typeof Fisher>

/** What a registration holds: the fisher, and for invented ones of the sample data that they are. */
export const Registration = Fisher.extend({ sample: z.literal(true).exactOptional() })

/** Where, when and how the fish was caught. Source: spec §3. */
export const CatchProv = object({
  time: When,
  boat: oneLine(200),
  latitude: Latitude,
  longitude: Longitude,
  locationCodeLat: locationCode(Latitude),
  locationCodeLong: locationCode(Longitude),
  method: oneLine(100),
  img: FileLink,
  species: required,
  size: Measure,
  note: someLines(2_000),
  txHash: ForeignTxHash,
})
export type CatchProv = z.infer<typeof CatchProv>

/** One reading of a logger. Source: spec §3. */
export const TrackingReading = object({
  time: When,
  latitude: Latitude,
  longitude: Longitude,
  iotID: required,
  temperature: Temperature,
  txHash: ForeignTxHash,
})
export type TrackingReading = z.infer<typeof TrackingReading>

const assessed = { operator: oneLine(200), time: When, latitude: Latitude, longitude: Longitude }

/** The result of a box's readings: `iotResult` without its list. Source: spec §3. */
export const SensorResult = object({ ...assessed, iotScore: Fraction, confidence: Fraction })
export type SensorResult = z.infer<typeof SensorResult>

const findings = { fish: Finding, confidence: Fraction, eye: Finding, skin: Finding }

/** One assessment of photos (e-eye): an entry of `imageProc`. Source: spec §3. */
export const ImageResult = object({
  ...assessed,
  imgScore: Fraction,
  txHash: ForeignTxHash,
  overallResult: object(findings),
  resultPerImage: list(object({ image: FileLink, ...findings }), MAX_PICTURES),
})
export type ImageResult = z.infer<typeof ImageResult>

/** One assessment of smell: an entry of `e_nose`; `sensingData` is a link to the data file. Source: spec §3. */
export const EnoseResult = object({
  ...assessed,
  noseScore: Fraction,
  confidence: Fraction,
  txHash: ForeignTxHash,
  resultPerTest: list(
    object({ noseScore: Fraction, confidence: Fraction, sensingData: FileLink }),
    MAX_PICTURES,
  ),
})
export type EnoseResult = z.infer<typeof EnoseResult>

/** One assessment of freshness; `conf_…` are the weights of its scores. Source: spec §3, freshness.md. */
export const FreshnessEntry = object({
  freshnessIndex: Fraction,
  time: When,
  conf_iot: Fraction,
  conf_img: Fraction,
  conf_enose: Fraction,
  txHash: ForeignTxHash,
})
export type FreshnessEntry = z.infer<typeof FreshnessEntry>

/**
 * A whole Box: exactly the fields of spec §3, every value as submitted. `catchProv` and `iotResult` are null before there
 * is a catch or a reading; lists may be empty.
 */
export const Box = object({
  boxID: BoxID,
  fisher: Fisher,
  catchProv: CatchProv.nullable(),
  iotResult: SensorResult.extend({ iotTracking: list(TrackingReading, MAX_READINGS) }).nullable(),
  imageProc: list(ImageResult, MAX_RESULTS),
  e_nose: list(EnoseResult, MAX_RESULTS),
  freshness: list(FreshnessEntry, MAX_READINGS),
})
export type Box = z.infer<typeof Box>

/** `Box` without times in the future: the body of POST /api/box. */
export const boxSchema = (clock: Clock): typeof Box => rejectFutureTimes(Box, clock)
