import { FormatError } from '@befaqt/provenance'
import { certificatesIn } from '@befaqt/provenance/evidence/certificates'
import { z } from 'zod'

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
/** Each is sent every checkpoint that is stamped, and one that answers is enough. */
const MAX_CALENDARS = 5

/** Who is asked once a day to stamp the time of a checkpoint of the log of anchors. Nobody is unless it is set. */
export const stampSettings = {
  /** An authority of RFC 3161; a user name and a password in the address are sent as HTTP's basic authentication. */
  TIMESTAMP_URL: httpUrl.optional(),
  /** Certificates in PEM of the authorities that are believed. Unset: whoever signed the time stamp. */
  TIMESTAMP_CA: z
    .string()
    .refine((pem) => {
      try {
        return certificatesIn(pem).length > 0
      } catch (error) {
        if (error instanceof FormatError) return false
        throw error
      }
    }, 'must be certificates in PEM')
    .optional(),
  /** Calendars of OpenTimestamps, by the addresses that they name in their promises. */
  OPENTIMESTAMPS_URLS: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter((url) => url !== ''))
    .pipe(z.array(httpUrl).min(1).max(MAX_CALENDARS, `must be at most ${MAX_CALENDARS} addresses`))
    .transform((urls) => [...new Set(urls.map((url) => url.replace(/\/{1,20}$/, '')))])
    .optional(),
}
