import { z } from 'zod'
import { isShowable } from './fields.ts'
import { MAX_CHOSEN_BOXES } from './limits.ts'
import { instantOf } from './market-time.ts'

/** Error messages for a value of the wrong type, and for a missing one. */
export const mustBe = (words: string) => ({
  error: ({ code, input }: { code: string; input?: unknown }) => {
    if (code !== 'invalid_type' && code !== 'invalid_union') return undefined
    return input === undefined ? 'is missing' : `must be ${words}`
  },
})

/** `GET /api/box/epcis` is the spreadsheet of many boxes. Source: standards.md. */
const TAKEN_ID = 'epcis'

/** A boxID is part of URLs, topics and file names: letters, digits, '-', '_' and '.', first a letter or digit. */
export const BoxID = z
  .string(mustBe('text'))
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, dashes or underscores, the first a letter or digit',
  )
  .refine((boxID) => boxID !== TAKEN_ID, 'is a word of the shop’s own addresses')

/** Ids of boxes with commas between, each once. */
export const BoxIDs = z
  .string()
  .transform((ids) => [...new Set(ids.split(',').filter((id) => id !== ''))])
  .pipe(
    z.array(BoxID).min(1, 'names no box').max(MAX_CHOSEN_BOXES, `may name at most ${MAX_CHOSEN_BOXES} boxes`),
  )
  .describe('ids of boxes, separated by commas')

const text = (max: number) =>
  z
    .string(mustBe('text'))
    .max(max, `must have at most ${max} characters`)
    .refine(isShowable, 'has characters that cannot be shown')

/** Text of one line, stored exactly as sent, up to `max` UTF-16 units. */
export const oneLine = (max: number) =>
  text(max).refine((value) => !/[\r\n\t]/.test(value), 'must be one line')

/** Text of several lines, stored exactly as sent. */
export const someLines = text

const number = (min: number, max: number) =>
  z
    .number(mustBe('a number'))
    .min(min, `must be from ${min} to ${max}`)
    .max(max, `must be from ${min} to ${max}`)

/** Degrees north; 0 together with longitude 0 means no position. */
export const Latitude = number(-90, 90)
/** Degrees east. */
export const Longitude = number(-180, 180)
/** Degrees Celsius. Sea water and cold rooms are well within the range. */
export const Temperature = number(-60, 60)
/** Scores and confidences are fractions from 0 to 1. Source: spec §3. */
export const Fraction = number(0, 1)

/** A fraction, or a word, which image operators also submit ('clear', 'snapper'). */
export const Finding = z.union([Fraction, oneLine(100)], mustBe('text or a number from 0 to 1'))

/** A measure as typed ('45 cm') or as a number. */
export const Measure = z.union(
  [number(0, 1_000_000), oneLine(100)],
  mustBe('text or a number that is not negative'),
)

/** One half of a location code: a number of degrees or a code as typed ('30°18′S'). */
export const locationCode = (degrees: typeof Latitude) =>
  z.union([degrees, oneLine(40)], mustBe('text or a number of degrees'))

const SCHEME = /^\s*[a-z][a-z0-9+.-]*:/i
const WEB = /^https?:\/\/[^/\s\\]/i

/** Path of a stored file, or an http(s) URL; schemes that could execute (`javascript:`, `data:`) are rejected. */
export const FileLink = oneLine(500).refine(
  (link) => WEB.test(link) || !(SCHEME.test(link) || /^\s*[/\\]{2}/.test(link)),
  'must be a file path or a web address',
)

/** Earliest time of a record: 2000-01-01 UTC. */
const EARLIEST = Date.UTC(2000, 0, 1)

const NO_TIME = 'must be a time that exists: YYYY-MM-DD HH:MM:SS in market time, or RFC 3339 with offset'

/** A time in a record, stored as written. `rejectFutureTimes` checks that it is not in the future. Source: protocol §1. */
export const When = z
  .string(mustBe('text'))
  .max(64, 'must have at most 64 characters')
  .superRefine((value, context) => {
    const instant = instantOf(value, 'UTC') // only its year matters here, so any zone will do
    if (instant !== undefined && instant >= EARLIEST) return
    context.addIssue(instant === undefined ? NO_TIME : 'must be 2000 or later')
  })

/** A transaction hash as submitted: data, never shown as ours. Source: running.md. */
export const ForeignTxHash = oneLine(200).nullable().exactOptional()

/**
 * Parses a temperature typed into a form, where a comma can only be a decimal one. Any other value is returned
 * unchanged, for a schema to reject.
 */
export function parseDegrees(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().replace(',', '.').replace('−', '-') : ''
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : value
}
