import { Duplex, pipeline, Transform } from 'node:stream'

/** Bytes of a packet's length field. Source: MQTT 3.1.1 §2.2.3. */
const MAX_LENGTH_BYTES = 4

/**
 * Inspects the headers of a stream of MQTT packets: returns false for one that is longer than `most` bytes, or whose
 * length is malformed, before its content arrives. Source: MQTT 3.1.1 §2.2.
 */
export function packetHeads(most: number): (chunk: Uint8Array) => boolean {
  let body = 0 // remaining bytes of the current packet
  let inHead = false // after the first byte, until the length is complete
  let length = 0
  let lengthBytes = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (body > 0) {
        const passed = Math.min(body, chunk.length - at)
        body -= passed
        at += passed
        continue
      }
      const byte = chunk[at++] ?? 0
      if (!inHead) {
        ;[inHead, length, lengthBytes] = [true, 0, 0]
        continue
      }
      length += (byte & 127) * 128 ** lengthBytes++
      if (byte < 128) [inHead, body] = [false, length]
      if (length > most || (inHead && lengthBytes === MAX_LENGTH_BYTES)) return false
    }
    return true
  }
}

/** The same connection, closed when a packet longer than `most` bytes begins, so that no client makes us buffer more. */
export function limitPackets(socket: Duplex, most: number): Duplex {
  const passes = packetHeads(most)
  const readable = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) =>
      passes(chunk) ? done(null, chunk) : done(new Error(`a packet of more than ${most} bytes`)),
  })
  pipeline(socket, readable, () => undefined)
  return Duplex.from({ readable, writable: socket })
}
