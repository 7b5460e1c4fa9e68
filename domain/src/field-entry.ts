import { z } from 'zod'
import { BoxWeight } from './box.ts'
import { BoxID, Latitude, Longitude, Measure, mustBe, oneLine, someLines, Temperature } from './box-values.ts'
import { statementFields } from './device.ts'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { MAX_REASON } from './limits.ts'
import { CLOCK_AHEAD_MS } from './market-time.ts'
import { checkParties } from './supplier.ts'

/** The clock of a phone: RFC 3339 in UTC, as `toISOString` writes it. */
const DeviceTime = z.iso.datetime({ error: 'must be a time in UTC, RFC 3339' })

const made = {
  /** Made on the phone: the same entry is recorded once, however often it is sent. */
  id: z.uuid('must be a UUID'),
  /** The account that made it: nobody else's session may send it. */
  madeBy: oneLine(100).min(1, 'is required'),
  /** By the phone's clock. */
  madeAt: DeviceTime,
  sentAt: DeviceTime,
  box: BoxID,
  latitude: Latitude,
  longitude: Longitude,
  /** Of the position, in metres; null without a position. */
  accuracy: z.number(mustBe('a number')).min(0, 'must not be negative').max(1e7, 'is too large').nullable(),
}

/** A catch as a phone sends it; the fisher is the supplier's. */
const FieldCatch = z.strictObject({
  ...made,
  kind: z.literal('catch'),
  boat: oneLine(200),
  species: oneLine(200).min(1, 'is required'),
  size: Measure,
  /** Net weight of the catch as it was typed; without it nobody weighed it. */
  grams: BoxWeight.shape.grams.exactOptional(),
  method: oneLine(100),
  note: someLines(2_000),
})
export type FieldCatch = z.infer<typeof FieldCatch>

/** A hand-over as a phone sends it. */
const FieldHandover = z
  .strictObject({
    ...made,
    kind: z.literal('handover'),
    from: oneLine(200).min(1, 'is required'),
    to: oneLine(200).min(1, 'is required'),
    temperature: Temperature.nullable(),
    accepted: z.boolean(mustBe('true or false')),
    reason: someLines(MAX_REASON),
  })
  .superRefine(checkParties)
export type FieldHandover = z.infer<typeof FieldHandover>

/** A reading of a tag near the phone, as a phone sends it; `madeAt` is when the tag's advertisement was received. */
const FieldTagReading = z.strictObject({
  ...made,
  kind: z.literal('reading'),
  /** The tag, by the name that is printed on it and that it sends. */
  iotID: oneLine(100).min(1, 'is required'),
  temperature: Temperature,
  /** Where the phone signs: made when it is sent, over `signedReading` of this entry, so it is not part of what the entry says. */
  signed: z.strictObject(statementFields).exactOptional(),
})
export type FieldTagReading = z.infer<typeof FieldTagReading>

/** What a supplier's phone keeps in its queue and sends. */
export const FieldEntry = z.discriminatedUnion('kind', [FieldCatch, FieldHandover, FieldTagReading], {
  error: 'must be a catch, a hand-over or a reading',
})
export type FieldEntry = z.infer<typeof FieldEntry>

/** RFC 3339 to the second, as entries are recorded. */
export const secondText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** The reading of an entry by the phone's clock: what a phone signs, and what is recorded where it signed. */
export const signedReading = (
  entry: Pick<FieldTagReading, 'madeAt' | 'latitude' | 'longitude' | 'iotID' | 'temperature'>,
) => ({
  time: secondText(Date.parse(entry.madeAt)),
  latitude: entry.latitude,
  longitude: entry.longitude,
  iotID: entry.iotID,
  temperature: entry.temperature,
})

/** An entry that is older than this when it arrives is late: as in the protocol's lateness. Source: protocol §6. */
export const LATE_MS = HOUR_MS

/** A catch that is older than this when it arrives is looked at by a manager before it is recorded. Source: product.md. */
export const MAX_CATCH_AGE_MS = 14 * DAY_MS

/** When an entry was made, and what is to be said of that. */
export type EntryTimes = {
  /** Milliseconds since 1970, by the server's clock; never after its arrival. */
  at: number
  /** By how much the phone's clock was behind when it sent, in milliseconds; negative: ahead. */
  clockOffset: number
  isClockWrong: boolean
  isLate: boolean
}

/**
 * Translates the phone's clock to the server's. A clock that is off by more than `CLOCK_AHEAD_MS` while it sends is
 * corrected by that; an entry from the future even so was made under another setting of the clock: its arrival counts.
 * @param received by the server's clock, in milliseconds since 1970
 */
export function entryTimes(entry: Pick<FieldEntry, 'madeAt' | 'sentAt'>, received: number): EntryTimes {
  const [madeAt, sentAt] = [Date.parse(entry.madeAt), Date.parse(entry.sentAt)]
  const clockOffset = received - sentAt
  const isOff = Math.abs(clockOffset) > CLOCK_AHEAD_MS
  const told = isOff ? madeAt + clockOffset : madeAt
  const isAhead = told > received
  const isBeyond = told > received + CLOCK_AHEAD_MS
  const at = isAhead ? received : told
  return { at, clockOffset, isClockWrong: isOff || isBeyond, isLate: received - at > LATE_MS }
}
