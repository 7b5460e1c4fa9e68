import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

/*
 * A collector of OpenTelemetry that takes OTLP over HTTP and reads the Protocol Buffers that it is sent, by the field numbers
 * of opentelemetry-proto 1.x.
 */

type Value = string | number | boolean | Value[] | { [key: string]: Value }
type Values = Record<string, Value>

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentId: string
  name: string
  kind: number
  ms: number
  attributes: Values
  links: { traceId: string; spanId: string }[]
  failed: boolean
  resource: Values
}
export type ReceivedLine = {
  traceId: string
  spanId: string
  severity: string
  body: Value
  attributes: Values
  resource: Values
}

/** How it answers: as it should, with a status, or not at all. */
type Mood = 'takes' | 'hangs' | number

type Field = { number: number; varint: bigint; bytes: Buffer }

/** Fields of a message. Source: Protocol Buffers, 'Encoding'. */
function fieldsOf(message: Buffer): Field[] {
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]
      if (byte === undefined) throw new Error('the message ends within a number')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new Error('the message ends within a field')
    at += length
    return message.subarray(at - length, at)
  }
  const found: Field[] = []
  while (at < message.length) {
    const tag = Number(varint())
    const number = tag >>> 3
    const [none, zero] = [Buffer.alloc(0), 0n]
    if ((tag & 7) === 0) found.push({ number, varint: varint(), bytes: none })
    else if ((tag & 7) === 1) found.push({ number, varint: zero, bytes: take(8) })
    else if ((tag & 7) === 2) found.push({ number, varint: zero, bytes: take(Number(varint())) })
    else if ((tag & 7) === 5) found.push({ number, varint: zero, bytes: take(4) })
    else throw new Error(`no such wire type: ${tag & 7}`)
  }
  return found
}

const all = (fields: Field[], number: number): Buffer[] =>
  fields.filter((field) => field.number === number).map(({ bytes }) => bytes)
const one = (fields: Field[], number: number): Buffer => all(fields, number)[0] ?? Buffer.alloc(0)
const count = (fields: Field[], number: number): number =>
  Number(fields.find((field) => field.number === number)?.varint ?? 0n)
const nanos = (fields: Field[], number: number): bigint => {
  const bytes = one(fields, number)
  return bytes.length === 8 ? bytes.readBigUInt64LE() : 0n
}

function readValue(message: Buffer): Value {
  const [field] = fieldsOf(message)
  if (field === undefined) return ''
  const { number, varint, bytes } = field
  if (number === 1) return bytes.toString()
  if (number === 2) return varint === 1n
  if (number === 3) return Number(BigInt.asIntN(64, varint))
  if (number === 4) return bytes.readDoubleLE()
  if (number === 5) return all(fieldsOf(bytes), 1).map(readValue)
  if (number === 6) return valuesOf(all(fieldsOf(bytes), 1))
  return bytes.toString('hex')
}

const valuesOf = (pairs: Buffer[]): Values =>
  Object.fromEntries(
    pairs.map((pair) => {
      const fields = fieldsOf(pair)
      return [one(fields, 1).toString(), readValue(one(fields, 2))]
    }),
  )

/** The items of a request, each with the attributes of its resource. */
function itemsIn<Item>(request: Buffer, read: (fields: Field[], resource: Values) => Item): Item[] {
  return all(fieldsOf(request), 1).flatMap((ofResource) => {
    const fields = fieldsOf(ofResource)
    const resource = valuesOf(all(fieldsOf(one(fields, 1)), 1))
    return all(fields, 2).flatMap((scope) =>
      all(fieldsOf(scope), 2).map((item) => read(fieldsOf(item), resource)),
    )
  })
}

const spanOf = (fields: Field[], resource: Values): ReceivedSpan => ({
  traceId: one(fields, 1).toString('hex'),
  spanId: one(fields, 2).toString('hex'),
  parentId: one(fields, 4).toString('hex'),
  name: one(fields, 5).toString(),
  kind: count(fields, 6),
  ms: Number(nanos(fields, 8) - nanos(fields, 7)) / 1e6,
  attributes: valuesOf(all(fields, 9)),
  links: all(fields, 13).map((link) => {
    const parts = fieldsOf(link)
    return { traceId: one(parts, 1).toString('hex'), spanId: one(parts, 2).toString('hex') }
  }),
  failed: count(fieldsOf(one(fields, 15)), 3) === 2,
  resource,
})

const lineOf = (fields: Field[], resource: Values): ReceivedLine => ({
  traceId: one(fields, 9).toString('hex'),
  spanId: one(fields, 10).toString('hex'),
  severity: one(fields, 3).toString(),
  body: readValue(one(fields, 5)),
  attributes: valuesOf(all(fields, 6)),
  resource,
})

/** Starts one on a port of this machine. Use with `await using`. */
export async function startCollector() {
  const spans: ReceivedSpan[] = []
  const lines: ReceivedLine[] = []
  const bodies: Buffer[] = []
  const headers: Record<string, unknown>[] = []
  const mood: { is: Mood } = { is: 'takes' }
  let asked = 0
  const server = createServer(async (request, response) => {
    const sent = await buffer(request).catch(() => undefined) // a process that is killed in between
    if (sent === undefined) return
    asked++
    headers.push(request.headers)
    if (mood.is === 'hangs') return
    if (mood.is !== 'takes') return void response.writeHead(mood.is).end()
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    bodies.push(body)
    if (request.headers['content-type'] !== 'application/x-protobuf') response.writeHead(415).end()
    else if (request.url === '/v1/traces') spans.push(...itemsIn(body, spanOf))
    else if (request.url === '/v1/logs') lines.push(...itemsIn(body, lineOf))
    else response.writeHead(404)
    if (!response.writableEnded) response.setHeader('content-type', 'application/x-protobuf').end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    lines,
    headers,
    mood,
    /** How many messages came, also those that were not taken. */
    asked: () => asked,
    /** All that was received, as bytes. */
    everything: (): Buffer => Buffer.concat(bodies),
    /** Waits until what was received is so; the time limit of the test ends what never comes. */
    until: async <Found>(find: () => Found | undefined | false): Promise<Found> => {
      for (;;) {
        const found = find()
        if (found !== undefined && found !== false) return found
        await sleep(25)
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
