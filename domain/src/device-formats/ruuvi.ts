/** Ruuvi's company id in manufacturer data of Bluetooth advertisements. Source: Bluetooth SIG assigned numbers. */
export const RUUVI_COMPANY = 0x0499

/**
 * Data format 5 begins with its number and has this many bytes. Over a connection the tag's address is cut off, since
 * 20 bytes fit there. Source: Ruuvi's documentation, 'Heartbeat transmissions'.
 */
const FORMAT = 5
const LENGTH = 24
const LENGTH_WITHOUT_MAC = 18

/** What a RuuviTag says; null where it measures no such thing, or could not. */
export type RuuviReading = {
  /** °C. */
  temperature: number | null
  /** Relative, in percent. */
  humidity: number | null
  /** Pa. */
  pressure: number | null
  /** V. */
  battery: number | null
  /** Number of the measurement: the same is sent several times. */
  sequence: number | null
  /** Address of the tag, 'CB:B8:33:4C:88:4F'; null over a connection. */
  mac: string | null
}

/**
 * Decodes manufacturer data of a RuuviTag, without the company id; null when it is not of data format 5. Divided, not
 * multiplied, so that 4,860 steps of 0.005 °C are 24.3. Source: standards.md 'Formats that really come in'.
 */
export function decodeRuuvi(data: Uint8Array): RuuviReading | null {
  if (![LENGTH, LENGTH_WITHOUT_MAC].includes(data.length) || data[0] !== FORMAT) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const temperature = view.getInt16(1)
  const humidity = view.getUint16(3)
  const pressure = view.getUint16(5)
  const voltage = view.getUint16(13) >>> 5
  const sequence = view.getUint16(16)
  const mac = [...data.subarray(LENGTH_WITHOUT_MAC)].map((byte) =>
    byte.toString(16).padStart(2, '0').toUpperCase(),
  )
  return {
    temperature: temperature === -0x8000 ? null : temperature / 200,
    humidity: humidity === 0xffff ? null : humidity / 400,
    pressure: pressure === 0xffff ? null : pressure + 50_000,
    battery: voltage === 0x7ff ? null : (voltage + 1_600) / 1_000,
    sequence: sequence === 0xffff ? null : sequence,
    mac: mac.length === 0 ? null : mac.join(':'),
  }
}

/** The name of a tag, 'Ruuvi 884F': as it sends it, and as it follows from its address. */
export const ruuviName = (mac: string): string => `Ruuvi ${mac.replaceAll(':', '').slice(-4)}`
