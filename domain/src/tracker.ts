import { z } from 'zod'
import { BoxID, When } from './box-values.ts'
import { schemaNames } from './fields.ts'

/** Services whose devices send readings here, with what people call them. */
export const trackerSources = { tive: 'Tive', lorawan: 'LoRaWAN' } as const
export type TrackerSource = keyof typeof trackerSources

/** One reading of a device that signs nothing, and that its service knows by an id. Which box it is of is not in it. */
export type TrackerReading = {
  /** By the service's own id. */
  deviceId: string
  name: string
  /** RFC 3339, in UTC. */
  time: string
  /** °C, as given. */
  temperature: number
  /** 0, 0: no position. */
  latitude: number
  longitude: number
  /** Percent. */
  battery: number | null
}

/** A message that was read: a reading, or nothing where it holds none, as when a device joins its network. */
export type TrackerMessage = TrackerReading | null

/** A charge in percent. One that can't be is none: the reading beside it counts all the same. */
export const Charge = z.number().min(0).max(100).nullable().catch(null)

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
