/** Ruuvi's company id in manufacturer data of Bluetooth advertisements. Source: Bluetooth SIG assigned numbers. */
export const RUUVI_COMPANY = 0x0499

/** Data format 5 begins with its number and has this many bytes. */
const FORMAT = 5
const LENGTH = 24

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
  /** Address of the tag, 'CB:B8:33:4C:88:4F'. */
  mac: string
}

/**
 * Decodes manufacturer data of a RuuviTag, without the company id; null when it is not of data format 5. Divided, not
 * multiplied, so that 4,860 steps of 0.005 °C are 24.3. Source: standards.md 'Formats that really come in'.
 */
export function decodeRuuvi(data: Uint8Array): RuuviReading | null {
  if (data.length !== LENGTH || data[0] !== FORMAT) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const temperature = view.getInt16(1)
  const humidity = view.getUint16(3)
  const pressure = view.getUint16(5)
  const voltage = view.getUint16(13) >>> 5
  const sequence = view.getUint16(16)
  const mac = [...data.subarray(18)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase())
  return {
    temperature: temperature === -0x8000 ? null : temperature / 200,
    humidity: humidity === 0xffff ? null : humidity / 400,
    pressure: pressure === 0xffff ? null : pressure + 50_000,
    battery: voltage === 0x7ff ? null : (voltage + 1_600) / 1_000,
    sequence: sequence === 0xffff ? null : sequence,
    mac: mac.join(':'),
  }
}
