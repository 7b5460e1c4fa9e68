import { z } from 'zod'
import { DeviceReading, FieldReading } from './box.ts'
import { line, QrCode, schemaNames } from './fields.ts'
import { MAX_REASON } from './limits.ts'

/** Levels of a signing device, with what people read. */
export const deviceLevels = {
  sensor: 'signed by the sensor',
  gateway: 'signed by a phone or gateway',
} as const
export type DeviceLevel = keyof typeof deviceLevels

/** How long before its registration a device's readings may count, in days: what a logger's memory holds. */
export const MAX_BACKDATED_DAYS = 30

/** The name of a device: public in the register. */
export const DeviceName = line('name', 80)

const levelNames = ['sensor', 'gateway'] as const satisfies readonly DeviceLevel[]

/** So many bytes in hex, made lower-case. */
export const lowerHex = (bytes: number, what: string) =>
  z
    .string({ error: `${what} must be text` })
    .trim()
    .toLowerCase()
    .regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `must be ${bytes} bytes in hex: ${2 * bytes} characters`)

/** A device that shows its public key, to be registered once it has signed what the shop answers. */
export const NewDevice = z.strictObject({
  name: DeviceName,
  /** Ed25519 public key. */
  publicKey: lowerHex(32, 'public key'),
  level: z.enum(levelNames, { error: 'Choose who signs.' }),
  /** Since when its readings count, where it measured before it was registered; else from its registration on. */
  validFrom: z.iso.datetime({ offset: true, error: 'must be a time with offset (RFC 3339)' }).exactOptional(),
})
export type NewDevice = z.infer<typeof NewDevice>

/** What the device signs: the bytes of `message`, which hold `nonce`. Both in hex. */
export const Enrolment = z
  .strictObject({
    id: z.string(),
    nonce: z.string(),
    message: z.string(),
    expiresAt: z.string(),
    /** QR code of `message` for a device with a camera. */
    qr: QrCode,
  })
  .register(schemaNames, { id: 'Enrolment' })
export type Enrolment = z.infer<typeof Enrolment>

/** The answer of the device: its signature over `message`. */
export const EnrolmentProof = z.strictObject({ signature: lowerHex(64, 'signature') })
export type EnrolmentProof = z.infer<typeof EnrolmentProof>

/** Why a key is revoked: for the shop's own log, not for the public register. */
export const Revocation = z.strictObject({ reason: line('reason', MAX_REASON) })
export type Revocation = z.infer<typeof Revocation>

/** A registered device as managers see it. Times are RFC 3339. */
export const DeviceView = z
  .strictObject({
    /** Id of its key. */
    id: z.string(),
    name: z.string(),
    level: z.enum(levelNames),
    publicKey: z.string(),
    /** Whose phone it is, and their name in hand-overs, null when the account is gone; null: nobody's in particular. */
    supplier: z.strictObject({ userId: z.string(), party: z.string().nullable() }).nullable(),
    validFrom: z.string(),
    revokedAt: z.string().nullable(),
    /** What it signed last, of all boxes. */
    last: z
      .strictObject({
        box: z.string(),
        /** When it was measured, and when it came. */
        readingAt: z.string(),
        heardAt: z.string(),
        /** °C. */
        temperature: z.number(),
        /** Percent, where it reports it. */
        battery: z.number().nullable(),
      })
      .nullable(),
    /** Seconds between its last two messages; null before there are two. */
    intervalS: z.number().nullable(),
    /** When it counted, or will count, as silent: `silentAfterMs` after its last message. Null: no message yet, or revoked. */
    silentFrom: z.string().nullable(),
  })
  .register(schemaNames, { id: 'Device' })
export type DeviceView = z.infer<typeof DeviceView>

/** A device that has been quiet for longer counts as silent: three of its own intervals, at least a quarter hour. */
export const silentAfterMs = (intervalS: number | null): number =>
  Math.max(900, 3 * (intervalS ?? 3_600)) * 1_000

/** What proves that a key signed a reading. */
export const statementFields = {
  key: lowerHex(16, 'key'),
  counter: z.int('must be a whole number').min(0, 'must be 0 or more'),
  signature: lowerHex(64, 'signature'),
  /**
   * SHA-256 of the text of the statement before, of the same key about the same box, zeros where there is none. Absent in
   * statements of the older form.
   */
  prev: lowerHex(32, 'prev').exactOptional(),
}
const signature = {
  ...statementFields,
  battery: z
    .number('must be a number')
    .min(0, 'must be from 0 to 100')
    .max(100, 'must be from 0 to 100')
    .exactOptional(),
}

/** A reading that a phone or gateway signed, over MQTT and in POST /api/tracking. Wrap in `rejectFutureTimes`. */
export const SignedDeviceReading = DeviceReading.omit({ id: true }).extend(signature)
export const SignedFieldReading = FieldReading.omit({ id: true }).extend(signature)
export type SignedFieldReading = z.infer<typeof SignedFieldReading>

/** The COSE_Sign1 message of a logger or a scale in hex, where only text can be sent. */
export const CoseSubmission = z.strictObject({
  cose: z
    .string({ error: 'must be text' })
    .regex(/^([0-9a-f]{2})*$/, 'must be bytes in lower-case hex')
    .max(8_192, 'must have at most 4,096 bytes'),
})
export type CoseSubmission = z.infer<typeof CoseSubmission>
