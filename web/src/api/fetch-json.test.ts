import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { test } from 'node:test'
import { ShopError } from '@befaqt/domain/errors'
import { fetchJson } from './fetch-json.ts'

/** Runs `work` against a real server that answers as told. */
async function against(answer: RequestListener, work: (origin: string) => Promise<void>) {
  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await work(`http://127.0.0.1:${port}`).finally(() => server.close())
}

const failure = (work: Promise<unknown>): Promise<ShopError> =>
  work.then(
    () => assert.fail('should have been refused'),
    (error: unknown) => {
      assert.ok(error instanceof ShopError)
      return error
    },
  )

test('a refusal is the error that the server threw, with its fields and details', () =>
  against(
    (_, response) => {
      const fields = [{ path: 'email', message: 'enter valid email address' }]
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: { code: 'input.invalid', message: 'No.', fields, requestId: 'r1' } }),
      )
    },
    async (origin) => {
      const error = await failure(fetchJson(origin))
      assert.deepEqual([error.code, error.status, error.message], ['input.invalid', 400, 'No.'])
      assert.equal(error.fields[0]?.message, 'enter valid email address')
      assert.equal(error.details.requestId, 'r1')
    },
  ))

test('an answer that is not ours becomes unavailable', () =>
  against(
    (_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
    async (origin) => {
      const error = await failure(fetchJson(origin))
      assert.deepEqual([error.code, error.message], ['unavailable', 'The shop answered 502.'])
    },
  ))

test('a server that cannot be reached is unavailable', async () => {
  const error = await failure(fetchJson('http://127.0.0.1:1/'))
  assert.equal(error.code, 'unavailable')
  assert.match(error.message, /No connection/)
})
