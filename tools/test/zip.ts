import { crc32, deflateRawSync } from 'node:zlib'

/** A file in a ZIP. The rest is for what somebody made otherwise than a packer does. */
export type ZipEntry = {
  name: string
  bytes: Uint8Array
  /** 0: as it is, 8: deflated. */
  method?: number
  flags?: number
  /** The kind and rights of a Unix file. */
  mode?: number
  /** What the table of contents says of its unpacked size. */
  saidSize?: number
  /** What it says of the checksum. */
  saidCrc?: number
}

/** A ZIP as packers write it, or as somebody made it who means no good. Source: APPNOTE 6.3.10, 4.3 and 4.4. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const table: Buffer[] = []
  let at = 0
  for (const { name, bytes, method = 8, flags = 0, mode = 0o100_644, ...said } of entries) {
    const packed = method === 8 ? deflateRawSync(bytes) : Buffer.from(bytes)
    const named = Buffer.from(name)
    const { saidSize: size = bytes.length, saidCrc: crc = crc32(bytes) } = said
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags | 0x800, 2) // names are UTF-8
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(named.length, 22)
    parts.push(Buffer.from('PK\x03\x04'), common, named, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(mode * 0x1_0000, 6)
    rest.writeUInt32LE(at, 10)
    table.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, named)
    at += 30 + named.length + packed.length
  }
  const contents = Buffer.concat(table)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(contents.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, contents, Buffer.from('PK\x05\x06'), end])
}
