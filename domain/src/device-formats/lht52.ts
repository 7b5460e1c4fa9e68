/** LoRaWAN port on which a Dragino LHT52 sends measurements. */
export const LHT52_PORT = 2
const LENGTH = 11
/** In place of a temperature that it does not have, as with no probe connected. */
const NO_TEMPERATURE = 0x7fff

/** What an LHT52 says; null where it measured nothing. */
export type Lht52Reading = {
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
