import { z } from 'zod'
import { mustBe, oneLine } from '../box-values.ts'
import { Charge, type TrackerMessage, type TrackerReading } from '../tracker.ts'

const Name = oneLine(100).min(1, 'must not be empty')
const Time = z.iso.datetime({ offset: true, error: 'must be a time with offset (RFC 3339)' })
const Payload = z.base64('must be base64').max(512, 'must have at most 512 characters')
const Port = z.int('must be a whole number')
const Decoded = z.record(z.string(), z.unknown(), mustBe('an object'))

/** An event of ChirpStack 4. Those that are no uplink have no `data`. */
const ChirpStack = z.object({
  deviceInfo: z.object({ devEui: Name, deviceName: oneLine(100).optional() }, mustBe('an object')),
  time: Time,
  fPort: Port.optional(),
  data: Payload.optional(),
  object: Decoded.nullish(),
})

const Place = z.object({ latitude: z.number(), longitude: z.number() })

/** A message of The Things Stack 3. Those that are no uplink have no `uplink_message`. */
const TheThings = z.object({
  end_device_ids: z.object({ device_id: Name, dev_eui: Name.optional() }, mustBe('an object')),
  received_at: Time.optional(),
  uplink_message: z
    .object(
      {
        f_port: Port.optional(),
        frm_payload: Payload.optional(),
        decoded_payload: Decoded.nullish(),
        received_at: Time,
        locations: z.object({ user: Place.optional() }).optional(),
        last_battery_percentage: z.object({ value: Charge }).optional(),
      },
      mustBe('an object'),
    )
    .optional(),
})

/** What both say of an uplink. */
type Uplink = {
  deviceId: string
  name: string
  /** When the network received it. */
  heardAt: string
  port: number | undefined
  data: string | undefined
  decoded: Record<string, unknown> | null | undefined
  place: z.infer<typeof Place> | undefined
  battery: number | null
}

/** An uplink without a readable temperature; the message says why. */
export class NoTemperature extends Error {}

/**
 * Reads a message of ChirpStack or The Things Stack; null when it is none of an uplink.
 * @param now no clock of a device is believed that is ahead of it
 * @throws ZodError with the path of each wrong field, NoTemperature
 */
export function readLorawan(input: unknown, now: Date): TrackerMessage {
  const uplink = uplinkOf(input)
  if (uplink === null) return null
  const { deviceId, name, place, battery } = uplink
  const measured = measuredIn(uplink, now)
  const { latitude, longitude } = place ?? { latitude: 0, longitude: 0 }
  return { deviceId, name, ...measured, latitude, longitude, battery }
}

function uplinkOf(input: unknown): Uplink | null {
  if (typeof input === 'object' && input !== null && 'end_device_ids' in input) {
    const { end_device_ids: ids, uplink_message: uplink } = TheThings.parse(input)
    if (uplink === undefined) return null
    return {
      deviceId: ids.dev_eui?.toLowerCase() ?? ids.device_id,
      name: ids.device_id,
      heardAt: uplink.received_at,
      port: uplink.f_port,
      data: uplink.frm_payload,
      decoded: uplink.decoded_payload,
      place: uplink.locations?.user,
      battery: uplink.last_battery_percentage?.value ?? null,
    }
  }
  const { deviceInfo, time, fPort, data, object } = ChirpStack.parse(input)
  if (data === undefined && object == null) return null
  const { devEui, deviceName } = deviceInfo
  const deviceId = devEui.toLowerCase()
  const name = deviceName || deviceId
  return {
    deviceId,
    name,
    heardAt: time,
    port: fPort,
    data,
    decoded: object,
    place: undefined,
    battery: null,
  }
}

type Measured = { time: string; temperature: number }

/** Bytes of an LHT52 say when they were measured, so they come before what somebody's decoder made of them. */
function measuredIn({ port, data, decoded, heardAt }: Uplink, now: Date): Measured {
  const heard = new Date(heardAt).toISOString()
  const lht52 = port === LHT52_PORT && data !== undefined ? decodeLht52(bytesOf(data)) : null
  if (lht52 !== null) {
    const temperature = lht52.outside ?? lht52.inside
    if (temperature === null) throw new NoTemperature('Neither the probe nor the sensor measured anything.')
    return { temperature, time: ownTime(lht52.epochS, now) ?? heard }
  }
  const temperature = decodedTemperature(decoded ?? {})
  if (temperature !== undefined) return { temperature, time: heard }
  throw new NoTemperature(
    'There is no temperature: let the network decode the payload to a field temperature, in °C.',
  )
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes base64 that the schema has accepted. Browsers and Node share no function for it. */
function bytesOf(base64: string): Uint8Array {
  const sextets = [...base64.replace(/={1,2}$/, '')].map((char) => ALPHABET.indexOf(char))
  return Uint8Array.from({ length: Math.floor((sextets.length * 6) / 8) }, (_, i) => {
    const [at, shift] = [Math.floor((i * 8) / 6), (i * 8) % 6]
    return ((((sextets[at] ?? 0) << 6) | (sextets[at + 1] ?? 0)) >> (4 - shift)) & 0xff
  })
}

/** A device's clock is not set before 2020, and may not be ahead of ours. */
const SET_SINCE_S = Date.UTC(2020, 0) / 1000
const AHEAD_S = 60

function ownTime(epochS: number, now: Date): string | undefined {
  const isSet = epochS >= SET_SINCE_S && epochS <= now.getTime() / 1000 + AHEAD_S
  return isSet ? new Date(epochS * 1000).toISOString() : undefined
}

/** Fields in which decoders of makers put °C, those of a probe first. */
const FIELDS = ['TempC_DS', 'TempC_SHT', 'temperature', 'Temperature', 'temp'] as const
/** What those decoders write where there is none. */
const NONE = 327.67

function decodedTemperature(decoded: Record<string, unknown>): number | undefined {
  const values = FIELDS.map((field) => decoded[field])
  return values.find((value): value is number => typeof value === 'number' && value !== NONE)
}

/** LoRaWAN port on which a Dragino LHT52 sends measurements. */
const LHT52_PORT = 2
const LENGTH = 11
/** In place of a temperature that it does not have, as with no probe connected. */
const NO_TEMPERATURE = 0x7fff

/** What an LHT52 says; null where it measured nothing. */
type Lht52Reading = {
  /** °C, of the sensor in its case. */
  inside: number | null
  /** Relative, in percent. */
  humidity: number
  /** °C, of the probe at its cable. */
  outside: number | null
  /** By its own clock, seconds since 1970. */
  epochS: number
}

/** Decodes a measurement of a Dragino LHT52; null for bytes of another length. Source: standards.md. */
export function decodeLht52(bytes: Uint8Array): Lht52Reading | null {
  if (bytes.length !== LENGTH) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    inside: celsius(view.getInt16(0)),
    humidity: view.getUint16(2) / 10,
    outside: celsius(view.getInt16(4)),
    epochS: view.getUint32(7),
  }
}

const celsius = (hundredths: number): number | null =>
  hundredths === NO_TEMPERATURE ? null : hundredths / 100

const number = z.number(mustBe('a number'))

/** Milliseconds of the years 2000 to 2100: other numbers are no times. */
const Epoch = z
  .int('must be a whole number of milliseconds')
  .min(Date.UTC(2000, 0), 'must be 2000 or later')
  .max(Date.UTC(2100, 0), 'must be before 2100')

/** What is read of a message of Tive's webhook; all else in it is left alone. Source: standards.md. */
export const TiveMessage = z.object(
  {
    EntityName: oneLine(100).min(1, 'must not be empty'),
    EntryTimeEpoch: Epoch,
    Temperature: z.object({ Celsius: number }, mustBe('an object')),
    Location: z.object({ Latitude: number, Longitude: number }, mustBe('an object')).nullish(),
    Battery: z.object({ Percentage: Charge }, mustBe('an object')).nullish(),
  },
  mustBe('an object'),
)

/** The reading of a message; values with the noise that they came with. */
export const readTive = (message: z.infer<typeof TiveMessage>): TrackerReading => ({
  deviceId: message.EntityName,
  name: message.EntityName,
  time: new Date(message.EntryTimeEpoch).toISOString(),
  temperature: message.Temperature.Celsius,
  latitude: message.Location?.Latitude ?? 0,
  longitude: message.Location?.Longitude ?? 0,
  battery: message.Battery?.Percentage ?? null,
})
