import { z } from 'zod'

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
