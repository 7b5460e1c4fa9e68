import type { FastifyReply, FastifyRequest } from 'fastify'

const RANGE = /^bytes=(\d*)-(\d*)$/

/** The first and last requested byte; 'none' without a valid range, 'beyond' past the end. Source: RFC 9110 §14. */
export function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'none' | 'beyond' {
  const match = header === undefined ? null : RANGE.exec(header)
  if (match === null || (match[1] === '' && match[2] === '')) return 'none'
  const [, first = '', last = ''] = match
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start >= size || end < start ? 'beyond' : { start, end }
}

/** Sends `bytes`, or the requested range, or 304 when the client has them. Headers set before stay. */
export function sendRange(request: FastifyRequest, reply: FastifyReply, bytes: Uint8Array, etag: string) {
  reply.header('etag', etag).header('accept-ranges', 'bytes')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  const range = rangeOf(request.headers.range, bytes.length)
  if (range === 'none') return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (range === 'beyond') return reply.code(416).header('content-range', `bytes */${bytes.length}`).send()
  const { start, end } = range
  reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes.length}`)
  return reply.send(Buffer.from(bytes.subarray(start, end + 1)))
}
