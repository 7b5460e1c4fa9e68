import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { test } from 'node:test'
import { ShopError } from '@befaqt/domain/errors'
import { answeredStatus, fetchJson } from './call-api.ts'

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

test('a rejection is the error that the server threw, with its fields and details', () =>
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
      assert.deepEqual([error.code, answeredStatus(error), error.message], ['input.invalid', 400, 'No.'])
      assert.equal(error.fields[0]?.message, 'enter valid email address')
      assert.equal(error.details.requestId, 'r1')
    },
  ))

for (const [status, body, said, shown] of [
  [502, '<h1>Bad gateway</h1>', 'The shop cannot be reached right now (502). Try again in a moment.', null],
  [404, '', 'Unexpected answer from the shop (404). Try again in a moment.', null],
  [413, '{"error":"too large"}', 'Unexpected answer from the shop (413). Try again in a moment.', null],
  [
    200,
    '<h1>Log in to the hotel</h1>',
    'Unexpected answer from the shop (200). Try again in a moment.',
    null,
  ],
  [500, '{"error":{"code":"internal","message":"Something went wrong."}}', 'Something went wrong.', 500],
  [409, '{"error":{"code":"of.tomorrow","message":"Not so."}}', 'Not so.', 409],
] as const)
  test(`${status} ${body} gives no invented status`, () =>
    against(
      (_, response) => response.writeHead(status).end(body),
      async (origin) => {
        const error = await failure(fetchJson(origin))
        assert.deepEqual([error.message, answeredStatus(error)], [said, shown])
      },
    ))

test('a response that breaks off counts as no connection', () =>
  against(
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('[1,')
      setImmediate(() => response.destroy())
    },
    async (origin) => {
      const error = await failure(fetchJson(origin))
      assert.deepEqual([answeredStatus(error), /No connection/.test(error.message)], [null, true])
    },
  ))

test('a server that cannot be reached is unavailable', async () => {
  const error = await failure(fetchJson('http://127.0.0.1:1/'))
  assert.deepEqual([error.code, answeredStatus(error)], ['unavailable', null])
  assert.match(error.message, /No connection/)
})
