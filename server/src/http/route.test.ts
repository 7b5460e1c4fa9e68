import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { endpoint, types } from '@befaqt/domain/api/endpoint'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { z } from 'zod'
import { anonymous, type Principal } from '#server/identity/principal.ts'
import { withAnswersChecked } from '#server/testing/check-answers.ts'
import { handleErrors } from './errors.ts'
import { type Accepts, collectRoutes, defineRoutes, registerRoute } from './route.ts'

const person: Principal = {
  kind: 'user',
  userId: 'ann',
  fname: 'Ann',
  role: 'USER',
  rights: [],
  sessionId: 's',
  via: 'bearer',
}

const endpoints = {
  makeThing: endpoint(
    'POST',
    '/api/thing/:id',
    types<{ body: { name: string }; response: { said: string } }>,
  ),
  dropThing: endpoint('DELETE', '/api/thing/:id'),
  readLongThing: endpoint('GET', '/api/long'),
}

const calls = defineRoutes(endpoints, {
  makeThing: {
    summary: 'Makes a thing.',
    access: 'user',
    limits: 'account',
    query: z.object({ times: z.coerce.number().default(1) }),
    body: z.object({ name: z.string() }),
    responses: { 201: z.strictObject({ said: z.string() }) },
  },
  dropThing: {
    summary: 'Drops a thing.',
    access: 'public',
    limits: 'account',
    responses: { 204: null },
  },
  readLongThing: {
    summary: 'Reads a thing without end.',
    access: 'public',
    limits: 'read',
    responses: { 200: 'text/plain' },
  },
})

const { makeThing } = endpoints
const right = { makeThing: calls.makeThing }
type One = { makeThing: typeof makeThing }
type With<Part> = { makeThing: Omit<typeof calls.makeThing, keyof Part> & Part }

test('the compiler refuses definitions that do not fit their endpoints', () => {
  const accepted: [
    right: Accepts<One, typeof right>,
    ofSome: Accepts<typeof endpoints, typeof right>,
    withoutEndpoint: Accepts<One, typeof right & { other: typeof calls.dropThing }>,
    answersANumber: Accepts<One, With<{ responses: { 201: z.ZodObject<{ said: z.ZodNumber }> } }>>,
    takesANumber: Accepts<One, With<{ body: z.ZodObject<{ name: z.ZodNumber }> }>>,
  ] = [true, true, false, false, false]
  assert.equal(accepted.length, 5, 'what they are is compared when types are checked')
})

/** An app whose caller is `principal`, with what its answers lack. */
const appFor = (principal: Principal) =>
  withAnswersChecked(async () => {
    const app = Fastify()
    app.decorateRequest('principal')
    app.addHook('onRequest', async (request) => {
      request.principal = principal
    })
    collectRoutes(app)
    handleErrors(app)
    registerRoute(app, calls.makeThing, ({ params, query, body }) =>
      body.name === 'odd'
        ? Object.assign({ said: 'odd' }, { secret: 'x' })
        : { said: `${params.id} ${body.name} ${query.times}` },
    )
    registerRoute(app, calls.dropThing, () => undefined)
    return app
  })

test('a handler gets input parsed by its definition, and the response has the defined status', async () => {
  const { app, misfits } = await appFor(person)
  const made = await app.inject({ method: 'POST', url: '/api/thing/7?times=2', payload: { name: 'fish' } })
  assert.deepEqual([made.statusCode, made.json()], [201, { said: '7 fish 2' }])
  const dropped = await app.inject({ method: 'DELETE', url: '/api/thing/7' })
  assert.deepEqual([dropped.statusCode, dropped.body], [204, ''])
  const refused = await app.inject({ method: 'POST', url: '/api/thing/7?times=x', payload: { name: 'fish' } })
  assert.deepEqual([refused.statusCode, refused.json().error.fields[0].path], [400, 'times'])
  assert.deepEqual(misfits, [])
  assert.deepEqual(
    app.routes.map(({ id }) => id),
    ['makeThing', 'dropThing'],
  )
  await app.close()
})

test('an unauthorized request is rejected before anything is parsed', async () => {
  const { app } = await appFor(anonymous)
  const refused = await app.inject({ method: 'POST', url: '/api/thing/7', payload: { name: 1 } })
  assert.deepEqual([refused.statusCode, refused.json().error.code], [401, 'auth.required'])
  await app.close()
})

test('a response that does not match its definition is reported', async () => {
  const { app, misfits } = await appFor(person)
  await app.inject({ method: 'POST', url: '/api/thing/7', payload: { name: 'odd' } })
  assert.equal(misfits.length, 1)
  assert.match(misfits[0] ?? '', /^POST \/api\/thing\/7 201: .*Unrecognized key: "secret"/)
  await app.close()
})

test('a client that disconnects during a long response is not an error', async () => {
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })
  const app = Fastify({ loggerInstance: log as FastifyBaseLogger })
  await using _ = { [Symbol.asyncDispose]: () => app.close() }
  app.decorateRequest('principal')
  app.addHook('onRequest', async (request) => {
    request.principal = anonymous
  })
  handleErrors(app)
  const gone = Promise.withResolvers<void>()
  registerRoute(app, calls.readLongThing, ({ reply }) => {
    reply.raw.once('close', gone.resolve)
    return reply.type('text/plain').send(Readable.from(endless()))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const asked = get({ host: '127.0.0.1', port, path: '/api/long' })
  const [answer] = await once(asked, 'response')
  await once(answer, 'data')
  asked.destroy()
  await gone.promise
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  assert.deepEqual(said, [])
})

async function* endless() {
  for (;;) {
    yield 'x'.repeat(64 * 1024)
    await new Promise(setImmediate)
  }
}
