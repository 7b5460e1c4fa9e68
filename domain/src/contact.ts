import { z } from 'zod'
import { EMAIL_MAX, isEmailAddress, normalizeEmail, trimSpaces } from './email-address.ts'

/** Message of spec §5. */
export const EMAIL_ERROR = 'enter valid email address'
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
