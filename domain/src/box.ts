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
import { MAX_ORDER_GRAMS, MAX_REASON } from './limits.ts'
import { type Clock, instantOf, rejectFutureTimes } from './market-time.ts'

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
export const RegisteredFisher = Fisher.extend({ sample: z.literal(true).exactOptional() })

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

/** Registers a box, before its catch is known. */
export const Registration = z.strictObject({ boxID: BoxID, fisher: Fisher })
export type Registration = z.infer<typeof Registration>

/** Idempotency key of a submission, chosen by the client. Source: running.md. */
const SubmissionId = oneLine(128).min(1, 'must not be empty')

/** A reading as a device publishes it over MQTT; the box is in the topic. Wrap in `rejectFutureTimes`. Source: running.md. */
export const DeviceReading = TrackingReading.omit({ txHash: true }).extend({
  id: SubmissionId.exactOptional(),
})
export type DeviceReading = z.infer<typeof DeviceReading>

/** A reading in POST /api/tracking. Wrap in `rejectFutureTimes`. Source: running.md. */
export const FieldReading = DeviceReading.extend({ box: BoxID })
export type FieldReading = z.infer<typeof FieldReading>

/** Readings per POST /api/tracking. Source: running.md. */
export const MAX_FIELD_READINGS = 1_000

/** Records of one box, beyond which readings are rejected: 34 days at one reading a minute, each with its freshness. */
export const MAX_BOX_RECORDS = 100_000

/** POST /api/tracking before its readings are validated one by one. */
export const TrackingBatch = z.strictObject({
  readings: z
    .array(z.unknown(), { error: 'must be a list' })
    .max(MAX_FIELD_READINGS, `must hold at most ${MAX_FIELD_READINGS} readings`),
})

/** Kinds of records that can be corrected, with the schema of the new payload. Freshness is computed. */
export const correctable = {
  registration: RegisteredFisher,
  catch: CatchProv,
  tracking: TrackingReading,
  'sensor-result': SensorResult,
  'image-result': ImageResult,
  'enose-result': EnoseResult,
} as const
export type CorrectableKind = keyof typeof correctable

/**
 * POST /api/box/{boxID}/weight: the net weight that ever went into a box, as it was caught or as it was boxed, never what
 * is left; `scale`: what weighed it, absent: it was typed. What a scale signed comes as `CoseSubmission` instead. Source: protocol
 * §6.9.
 */
export const BoxWeight = z.strictObject({
  of: z.enum(['catch', 'box'], 'of must be catch or box'),
  grams: z
    .int('must be whole grams')
    .min(1, 'must be at least 1 g')
    .max(MAX_ORDER_GRAMS, 'must be at most 1,000 kg'),
  scale: oneLine(80).min(1, 'is required').optional(),
})
export type BoxWeight = z.infer<typeof BoxWeight>

/** POST /api/box/{boxID}/correction: `data` replaces the whole payload of record `seq`. Source: running.md. */
export const CorrectionInput = z.strictObject({
  seq: z.number({ error: 'must be a number' }).int('must be a whole number').min(1, 'must be 1 or more'),
  reason: someLines(MAX_REASON).min(1, 'is required'),
  data: z.record(z.string(), z.unknown(), { error: 'must be an object' }),
})
export type CorrectionInput = z.infer<typeof CorrectionInput>

/**
 * Idempotency key of a reading: the client's id or, without one, the logger and the instant, in whichever format the
 * time is written. Source: running.md 'Records from the field'.
 * @param timeZone the market's, for times without an offset
 */
export const submissionKey = (
  { id, iotID, time }: Pick<FieldReading, 'id' | 'iotID' | 'time'>,
  timeZone: string,
): string => (id === undefined ? `at:${instantOf(time, timeZone)}:${iotID}` : `id:${id}`)
