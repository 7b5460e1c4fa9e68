import { z } from 'zod'

/** Message of spec §5. */
export const EMAIL_ERROR = 'enter valid email address'
/** Message of spec §5. */
export const PHONE_ERROR = 'enter valid mobile number'

/** Longest address that mail can carry. Source: RFC 5321 §4.5.3.1, errata 1690. */
const EMAIL_MAX = 254
const LOCAL_MAX = 64

/** `dot-atom` of RFC 5322 §3.2.3: what stands before the @ of nearly every address, and nothing that quotes. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
/** Labels of letters and digits of any script with inner hyphens (RFC 5890), two or more. */
const DOMAIN =
  /^([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u

function looksLikeAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  return at > 0 && local.length <= LOCAL_MAX && LOCAL.test(local) && DOMAIN.test(text.slice(at + 1))
}

/**
 * An e-mail address: trimmed of spaces, never of line breaks, which would end a mail's header line.
 * The domain may be in any script, the part before it is ASCII as browsers' e-mail fields have it.
 */
export const Email = z
  .string({ error: EMAIL_ERROR })
  .max(EMAIL_MAX + 20, EMAIL_ERROR)
  .transform((text) => text.replace(/^ +| +$/g, '').normalize('NFC'))
  .refine((text) => text.length <= EMAIL_MAX && looksLikeAddress(text), EMAIL_ERROR)

/** Australian mobile number: 04 and 8 digits, spaces where you like, kept as typed. Source: spec §5. */
export const Phone = z
  .string({ error: PHONE_ERROR })
  .max(40, PHONE_ERROR)
  .transform((text) => text.replace(/^ +| +$/g, ''))
  .refine((text) => /^0 *4( *\d){8}$/.test(text), PHONE_ERROR)
