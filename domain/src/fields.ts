import { z } from 'zod'
import { EMAIL_MAX, isEmailAddress, normalizeEmail, trimSpaces } from './account-rules.ts'
import { statuses } from './statuses.ts'

/** Names of response schemas in the OpenAPI document: a named schema is a component that others refer to. */
export const schemaNames = z.registry<{ id: string }>()

/**
 * Control characters except tab and line ends, characters that reorder text (bidi overrides and isolates), and unpaired
 * surrogates, which UTF-8 can't encode.
 */
const UNSAFE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u

/** Text without control characters, bidi characters and unpaired surrogates; tabs and line ends are allowed. */
export const isShowable = (text: string): boolean => !UNSAFE.test(text)

/**
 * Text typed by a person: trimmed, one line, no control or bidi characters, 1 to `max` characters.
 * @param label the field's name in messages
 */
export const line = (label: string, max: number) =>
  z
    .string({ error: ({ input }) => `${label} ${input === undefined ? 'is required' : 'must be text'}` })
    .max(max, `${label} must have at most ${max} characters`)
    .refine(
      (text) => isShowable(text) && !/[\r\n\t]/.test(text),
      `${label} has characters that cannot be shown`,
    )
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, `${label} is required`)

/** One line that may be left out or empty, which is the same. */
export const maybe = (label: string, max: number) =>
  z
    .string(`${label} must be text`)
    .max(max, `${label} must have at most ${max} characters`)
    .refine(
      (text) => isShowable(text) && !/[\r\n\t]/.test(text),
      `${label} has characters that cannot be shown`,
    )
    .transform((text) => text.trim() || undefined)
    .optional()

/** Text of several lines, up to `max` characters, may be empty. Rejects the same as `line`, except line ends. */
export const paragraph = (label: string, max: number) =>
  z
    .string({ error: `${label} must be text` })
    .max(max, `${label} must have at most ${max} characters`)
    .refine(isShowable, `${label} has characters that cannot be shown`)
    .transform((text) => text.trim())

/** A QR code to draw: its side in modules, quiet zone included, and the dark modules as an SVG path. */
export const QrCode = z.strictObject({ side: z.int(), path: z.string() })
export type QrCode = z.infer<typeof QrCode>

export const Status = z.enum(statuses)
export type Status = z.infer<typeof Status>

/** Role of an account: SUPPLIER records catches and hand-overs of boxes. Source: spec §6, decision 0054. */
export const Role = z.enum(['USER', 'ADMIN', 'SUPPLIER'])
export type Role = z.infer<typeof Role>

/** Message of spec §5. */
const EMAIL_ERROR = 'enter valid email address'
/** Message of spec §5. */
export const PHONE_ERROR = 'enter valid mobile number'

/** An email address, trimmed. */
export const Email = z
  .string({ error: EMAIL_ERROR })
  .max(EMAIL_MAX + 20, EMAIL_ERROR)
  .transform(normalizeEmail)
  .refine(isEmailAddress, EMAIL_ERROR)

/** Australian mobile number: 04 and 8 digits, spaces anywhere, stored as typed. Source: spec §5. */
export const Phone = z
  .string({ error: PHONE_ERROR })
  .max(40, PHONE_ERROR)
  .transform(trimSpaces)
  .refine((text) => /^0 *4( *\d){8}$/.test(text), PHONE_ERROR)
