import { z } from 'zod'
import {
  CatchProv,
  EnoseResult,
  Fisher,
  ImageResult,
  Registration as RegisteredFisher,
  SensorResult,
  TrackingReading,
} from './box.ts'
import { BoxID, oneLine, someLines } from './box-values.ts'
import { MAX_REASON } from './limits.ts'

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

/** POST /api/box/{boxID}/correction: `data` replaces the whole payload of record `seq`. Source: running.md. */
export const CorrectionInput = z.strictObject({
  seq: z.number({ error: 'must be a number' }).int('must be a whole number').min(1, 'must be 1 or more'),
  reason: someLines(MAX_REASON).min(1, 'is required'),
  data: z.record(z.string(), z.unknown(), { error: 'must be an object' }),
})
export type CorrectionInput = z.infer<typeof CorrectionInput>
