import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { cheapPasswords, makeUser } from './accounts.ts'
import { type TestShop, testShop } from './shop.ts'

/** Allowed responses to an attack: a named error or a normal response, never a server error. */
export type Answer = { status: number; body: string; headers: Headers }

/** A listening shop, and ways to send it what no browser would. */
export type AttackedShop = AsyncDisposable & {
  shop: TestShop
  port: number
  send(path: string, init?: RequestInit): Promise<Answer>
  post(path: string, body: string | Uint8Array<ArrayBuffer>, type?: string): Promise<Answer>
  /** Sends raw bytes on a connection, closes it, and returns everything that was received. */
  raw(bytes: string): Promise<string>
  /** Checks that the next visitor is served normally. */
  isWellAfterwards(): Promise<void>
}

export const PUBLIC_URL = 'https://shop.example'
/** Has an account. */
export const ann = { email: 'ann@example.com', password: 'secret' }

/** Long for a normal response, short for a blocked or waiting server. */
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
  socket.on('error', () => undefined) // a reset connection is a valid response, too
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return came
}

/** The status of an error response, whose message is in its body. */
export function refusal({ status, body }: Answer, what: string): number {
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${body.slice(0, 200)}`)
  assert.match(body, /"(?:code|error)":/, what)
  return status
}

export const KIB = 1024
export const filled = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length))
