import { z } from 'zod'
import { TrackingReading } from './box.ts'

const hex = z.string().regex(/^([0-9a-f]{2})+$/)
const signer = { level: z.enum(['sensor', 'gateway']), key: hex.length(32) }

/**
 * A reading as its record holds it: how it came is part of it. `signed` holds the signed bytes as they came (protocol
 * format §13); whole Boxes have neither.
 */
export const RecordedReading = TrackingReading.extend({
  sent: z.literal('key').exactOptional(),
  /** The logger's file that it was brought in with: SHA-256 in hex, and its line. */
  file: z.strictObject({ sha256: hex.length(64), line: z.int() }).exactOptional(),
  signed: z
    .union([
      z.strictObject({ ...signer, form: z.literal('jcs'), text: z.string(), signature: hex.length(128) }),
      z.strictObject({ ...signer, form: z.literal('cose'), bytes: hex, place: z.int() }),
    ])
    .exactOptional(),
})
export type RecordedReading = z.infer<typeof RecordedReading>
