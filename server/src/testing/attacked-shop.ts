import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { cheapPasswords, makeUser } from './accounts.ts'
import { type TestShop, testShop } from './shop.ts'

/** What an attack may be answered: a refusal by name, or an answer like anybody's. Never a failure of ours. */
export type Answer = { status: number; body: string; headers: Headers }

/** A shop that listens, and ways to send it what no browser would. */
export type AttackedShop = AsyncDisposable & {
  shop: TestShop
  port: number
  send(path: string, init?: RequestInit): Promise<Answer>
  post(path: string, body: string | Uint8Array<ArrayBuffer>, type?: string): Promise<Answer>
  /** Bytes as they are, through a connection that is closed afterwards; answers everything that came back. */
  raw(bytes: string): Promise<string>
  /** The next visitor notices nothing. */
  isWellAfterwards(): Promise<void>
}

export const PUBLIC_URL = 'https://shop.example'
/** Has an account. */
export const ann = { email: 'ann@example.com', password: 'secret' }

/** Long for a shop that answers at once, short for one that is kept busy or waits for what never comes. */
const TIMEOUT_MS = 20_000

export async function attackedShop(): Promise<AttackedShop> {
  const shop = await testShop({ env: { PUBLIC_URL }, deps: { passwords: cheapPasswords } })
  await makeUser(shop, ann)
  const port = Number(new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' })).port)
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal, redirect: 'manual', ...init })
    return { status: response.status, body: await response.text(), headers: response.headers }
  }
  return {
    shop,
    port,
    send,
    post: (path, body, type = 'application/json') =>
      send(path, { method: 'POST', headers: { 'content-type': type }, body }),
    raw: (bytes) => sendRaw(port, bytes),
    isWellAfterwards: async () => {
      assert.equal((await send('/healthz')).status, 200)
      assert.equal((await send('/api/product/active')).status, 200)
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setTimeout(TIMEOUT_MS, () => socket.destroy())
  let came = ''
  socket.on('data', (part) => {
    came += part
  })
  socket.on('error', () => undefined) // a connection that is broken off is an answer, too
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return came
}

/** The status of a refusal, whose words are in its body. */
export function refusal({ status, body }: Answer, what: string): number {
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${body.slice(0, 200)}`)
  assert.match(body, /"(?:code|error)":/, what)
  return status
}

export const KIB = 1024
export const filled = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length))
