import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { Server } from './server.ts'

type Upload = { name: string; mimeType: string; buffer: Buffer }

/** A real image of the shop, under another name. */
export async function pictureFile(server: Server, title: string, name: string): Promise<Upload> {
  const products: { title: string; imagePaths: string[] }[] = await (
    await fetch(`${server.url}/api/product/active`)
  ).json()
  const path = products.find((product) => product.title === title)?.imagePaths[0] ?? ''
  const answer = await fetch(`${server.url}/api/file/${path}`)
  if (!answer.ok) throw new Error(`the shop has no picture of ${title}`)
  return { name, mimeType: 'image/webp', buffer: Buffer.from(await answer.arrayBuffer()) }
}

/** A PNG of noise, which does not compress: about 3 bytes a pixel. */
export function noisePicture(name: string, side: number): Upload {
  const rows = Array.from({ length: side }, () => Buffer.concat([Buffer.from([0]), randomBytes(3 * side)]))
  const size = Buffer.alloc(8)
  size.writeUInt32BE(side, 0)
  size.writeUInt32BE(side, 4)
  const buffer = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', Buffer.concat([size, Buffer.from([8, 2, 0, 0, 0])])),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows), { level: 0 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return { name, mimeType: 'image/png', buffer }
}

/** Length, kind, data, checksum. Source: PNG §5.3. */
function pngChunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A program with the name of an image. */
export const programNamed = (name: string): Upload => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500, 7)]),
})
