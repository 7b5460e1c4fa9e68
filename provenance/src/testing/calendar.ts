import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hashOf, utf8 } from '../digest.ts'
import { type Attestation, type OtsProof, proofBytes } from '../evidence/ots.ts'

/*
 * A calendar of OpenTimestamps as others run it: it promises what it is sent, makes one tree of all promises, puts its root
 * into a Bitcoin block once it is told to, and then answers with the way to that. And a Bitcoin node that shows the block.
 * Source: opentimestamps-server, otsserver/{rpc,calendar,stamper}.py.
 */

const [SHA256, APPEND, PREPEND] = [0x08, 0xf0, 0xf1]
type Step = OtsProof['steps'][number]

const leaf = (message: Uint8Array, attestation: Attestation): OtsProof => ({
  message,
  attestations: [attestation],
  steps: [],
})
const step = (op: number, argument: Uint8Array, next: OtsProof): Step => ({ op, argument, next })

/** From a message over operations to what attests their result. */
function chain(
  message: Uint8Array,
  ops: readonly (readonly [number, Uint8Array?])[],
  by: Attestation,
): OtsProof {
  const [first, ...rest] = ops
  if (first === undefined) return leaf(message, by)
  const [op, argument = new Uint8Array()] = first
  const result =
    op === SHA256
      ? hashOf(message)
      : Uint8Array.from(op === APPEND ? [...message, ...argument] : [...argument, ...message])
  return { message, attestations: [], steps: [step(op, argument, chain(result, rest, by))] }
}

export class Calendar {
  url = ''
  /** Promises, by what was promised in hex. */
  readonly promised = new Map<string, Uint8Array>()
  /** What it answers of those that are in a block. */
  readonly #done = new Map<string, OtsProof>()
  /** Headers of blocks in hex, by their heights. */
  readonly blocks = new Map<number, string>()
  /** The header that its node shows, whatever block is asked for. */
  shows: string | undefined
  /** How often it was sent a hash, and asked what became of one. */
  sent = 0
  asked = 0
  /** What it answers in place of all, for tests of what goes wrong. */
  instead: ((response: ServerResponse) => void) | undefined
  /** The address that it names in its promises, where that is not its own. */
  names: string | undefined

  /** Promises a hash: with a salt and a time of its own, as calendars do. */
  promise(digest: Uint8Array): OtsProof {
    const salt = hashOf(utf8(`${this.url} ${this.promised.size}`)).subarray(0, 16)
    const ops = [
      [APPEND, salt],
      [SHA256],
      [PREPEND, Uint8Array.of(0x6a, 0, 0, 1)],
      [APPEND, Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9)],
    ] as const
    const made = chain(digest, ops, { kind: 'pending', uri: this.names ?? this.url })
    let end = made
    while (end.steps[0] !== undefined) end = end.steps[0].next
    this.promised.set(Buffer.from(end.message).toString('hex'), end.message)
    return made
  }

  /** All that is promised goes into one block. */
  mine(height: number, timeS = 1_795_900_000): void {
    for (const [hex, message] of this.promised) {
      const ops = [
        [APPEND, Uint8Array.of(1, 2, 3)],
        [SHA256],
        [PREPEND, Uint8Array.of(4)],
        [SHA256],
        [SHA256],
      ] as const
      const done = chain(message, ops, { kind: 'bitcoin', height })
      let end = done
      while (end.steps[0] !== undefined) end = end.steps[0].next
      this.#done.set(hex, done)
      const header = Buffer.alloc(80)
      Buffer.from(end.message).copy(header, 36)
      header.writeUInt32LE(timeS, 68)
      this.blocks.set(height, header.toString('hex'))
    }
  }

  /** What it answers of a promise that is in a block. */
  done(message: Uint8Array): OtsProof {
    const found = this.#done.get(Buffer.from(message).toString('hex'))
    if (found === undefined) throw new Error('it is in no block yet')
    return found
  }

  #answer(path: string, body: Uint8Array, response: ServerResponse): void {
    const [, what, which = '', more] = path.split('/')
    if (what === 'digest') {
      this.sent += 1
      response.end(proofBytes(this.promise(body)))
    } else if (what === 'timestamp') {
      this.asked += 1
      const done = this.#done.get(which)
      if (done === undefined) response.writeHead(404).end('Pending confirmation in Bitcoin blockchain')
      else response.end(proofBytes(done))
    } else if (what === 'block-height' && this.blocks.has(Number(which)))
      response.end(hashOfHeader(this.blocks.get(Number(which)) ?? ''))
    else if (what === 'block' && more === 'header')
      response.end(this.shows ?? [...this.blocks.values()].find((hex) => hashOfHeader(hex) === which) ?? '')
    else response.writeHead(404).end()
  }

  async serve(): Promise<AsyncDisposable> {
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      if (this.instead === undefined) this.#answer(request.url ?? '', Buffer.concat(parts), response)
      else this.instead(response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    this.url = `http://127.0.0.1:${port}`
    return {
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      },
    }
  }
}

const hashOfHeader = (hex: string): string =>
  Buffer.from(hashOf(hashOf(Buffer.from(hex, 'hex'))))
    .reverse()
    .toString('hex')
