import { z } from 'zod'
import { schemaNames } from './api/schema-names.ts'
import { BoxID, When } from './box-values.ts'

/** Names of `trackerSources`, for schemas. */
const sources = ['tive', 'lorawan'] as const

/** Which box a tracker travels with from a time on; null: with none. */
export const Assignment = z.strictObject({ box: BoxID.nullable(), time: When })
export type Assignment = z.infer<typeof Assignment>

/** A device of somebody else's service, which signs nothing, as managers see it. Times are RFC 3339. */
export const TrackerView = z
  .strictObject({
    /** `source:deviceId`. */
    id: z.string(),
    source: z.enum(sources),
    deviceId: z.string(),
    name: z.string(),
    /** With which box it travels now, and since when. */
    assigned: z.strictObject({ box: z.string().nullable(), from: z.string() }).nullable(),
    /** Its newest reading that was stored, with the box that it went to. */
    last: z.strictObject({ box: z.string(), readingAt: z.string(), temperature: z.number() }).nullable(),
    /** Percent, if reported. */
    battery: z.number().nullable(),
    /** When anything came of it. */
    heardAt: z.string(),
    /** Why the last message was refused; null when it was not. */
    refusal: z.string().nullable(),
  })
  .register(schemaNames, { id: 'Tracker' })
export type TrackerView = z.infer<typeof TrackerView>
