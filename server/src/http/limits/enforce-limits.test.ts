import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type RouteOptions } from 'fastify'
import { handleErrors, handleNotFound } from '#server/http/errors.ts'
import { noteMatched, type Route } from '#server/http/route.ts'
import { useStrictJson } from '#server/http/strict-json.ts'
import { testShop } from '#server/testing/shop.ts'
import { enforceLimits } from './enforce-limits.ts'
import { type LimitClass, type Limits, limitClasses } from './route-limits.ts'

/** All classes with some limits changed. */
const allWith = (change: Partial<Limits>): Record<LimitClass, Limits> =>
  Object.fromEntries(
    Object.entries(limitClasses).map(([name, limits]) => [name, { ...limits, ...change }]),
  ) as Record<LimitClass, Limits>

/** A server with the given limits on every class. */
async function limited(change: Partial<Limits>) {
  const app = Fastify()
  noteMatched(app)
  handleErrors(app)
  handleNotFound(app)
  useStrictJson(app)
  await enforceLimits(app, allWith(change))
  return app
}

/** A route of a class. */
const of = (limits: LimitClass): { config: { route: Route } } => ({
  config: {
    route: { id: 'any', method: 'GET', url: '/', summary: '', access: 'public', limits, responses: {} },
  },
})

test('every route limits size, time and concurrency, and the rate where a request costs more than memory', async () => {
  await using shop = await testShop()
  for (const { method, url, access, limits: name } of shop.app.routes) {
    const key = `${method} ${url}`
    const limits: Limits = limitClasses[name]
    assert.ok(limits.bodyBytes > 0 && limits.bodyBytes <= 10 * 1024 * 1024, key)
    // A backup of gigabytes, for owners alone, takes what their line takes.
    const mostS = name === 'download' && access === 'admin' ? 6 * 3_600 : 300
    assert.ok(limits.timeoutS > 0 && limits.timeoutS <= mostS, key)
    assert.ok(limits.maxConcurrent > 0 && limits.maxConcurrent <= 64, key)
    const isPublicChange = access === 'public' && method !== 'GET'
    if (isPublicChange || access === 'user') assert.notEqual(limits.perMinute, null, key)
  }
})

test('a route without limits stops the start', async () => {
  const app = await limited({})
  assert.throws(() => app.get('/api/forgotten', () => ''), /No limits for GET \/api\/forgotten/)
  await app.close()
})

test('a route has the limits of its class, whatever the route itself sets', async () => {
  const seen: RouteOptions[] = []
  const app = await limited({})
  app.addHook('onRoute', (route) => void seen.push(route))
  app.post('/api/user/signIn', { ...of('sign-in'), bodyLimit: 1e9, handlerTimeout: 1e9 }, () => '')
  app.get('/healthz', of('probe'), () => '')
  assert.deepEqual(
    seen.map(({ method, config, bodyLimit, handlerTimeout }) => [
      method,
      config?.route?.limits,
      bodyLimit,
      handlerTimeout,
    ]),
    [
      ['POST', 'sign-in', 16 * 1024, 30_000],
      ['GET', 'probe', 16 * 1024, undefined],
      ['HEAD', 'probe', 16 * 1024, undefined],
    ],
  )
  await app.close()
})

test('a body that is too large is refused', async () => {
  const app = await limited({ bodyBytes: 100 })
  app.post('/api/user/signIn', of('sign-in'), () => 'in')
  const send = (payload: object) => app.inject({ method: 'POST', url: '/api/user/signIn', payload })
  assert.equal((await send({ a: 'x'.repeat(80) })).statusCode, 200)
  const refused = await send({ a: 'x'.repeat(100) })
  assert.deepEqual([refused.statusCode, refused.json().error.code], [413, 'input.too_large'])
  await app.close()
})

test('requests per minute are limited by network, with an IPv6 household as one', async () => {
  const app = await limited({ perMinute: 3 })
  let handled = 0
  app.post('/api/user/signIn', of('sign-in'), () => `${++handled}`)
  app.post('/api/user/signUp', of('mail'), () => 'up')
  const send = (remoteAddress: string, url = '/api/user/signIn') =>
    app.inject({ method: 'POST', url, remoteAddress })
  for (const last of ['1', '2', '3']) assert.equal((await send(`2001:db8::${last}`)).statusCode, 200)
  const refused = await send('2001:db8::4')
  assert.deepEqual([refused.statusCode, refused.json().error.code], [429, 'rate.limited'])
  assert.match(refused.json().error.message, /^Too many requests\. Please wait \d+ seconds\.$/)
  assert.equal(refused.headers['retry-after'], String(refused.json().error.retryAfterS))
  assert.equal(handled, 3)
  assert.equal((await send('2001:db8:0:1::1')).statusCode, 200, 'another household')
  assert.equal((await send('2001:db8::1', '/api/user/signUp')).statusCode, 200, 'another class')
  await app.close()
})

test('requests of one network wait for each other, and too many are rejected; other networks are not affected', async () => {
  const app = await limited({ maxConcurrent: 2, perMinute: null })
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let running = 0
  app.get('/*', of('page'), async () => {
    running++
    await gate
    return 'page'
  })
  app.get('/healthz', of('probe'), () => 'ok')
  const ask = (remoteAddress: string) => app.inject({ url: '/', remoteAddress })
  const crowd = Array.from({ length: 2 + 256 + 1 }, () => ask('203.0.113.1'))
  const refused = await Promise.race(crowd)
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '1'])
  assert.equal(refused.body, '429: Too many requests at once. Please wait a moment.\n')
  assert.equal(running, 2)
  const neighbour = ask('203.0.113.2')
  assert.equal((await app.inject({ url: '/healthz', remoteAddress: '203.0.113.1' })).body, 'ok')
  while (running < 3) await sleep(1)
  open()
  assert.equal((await neighbour).body, 'page')
  const answers = await Promise.all(crowd)
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 258)
  await app.close()
})

test('a request that waits too long is rejected: a read says try again, a write says check first', async () => {
  const app = await limited({ timeoutS: 0.1 })
  let open = (): void => undefined
  const gate = new Promise<string>((resolve) => {
    open = () => resolve('late')
  })
  app.get('/api/geocode', of('geocode'), () => gate)
  app.get('/*', of('page'), async (_request, reply) => reply.send(await gate))
  app.post('/api/user/signUp', of('mail'), () => gate)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const read = await fetch(`${url}/api/geocode`)
  assert.deepEqual([read.status, read.headers.get('retry-after')], [503, '5'])
  assert.match(await read.text(), /"unavailable","message":"This took too long\. Please try again\."/)
  const page = await fetch(url)
  assert.deepEqual([page.status, await page.text()], [503, '503: This took too long. Please try again.\n'])
  const headers = { 'content-type': 'application/json' }
  const written = await fetch(`${url}/api/user/signUp`, { method: 'POST', headers, body: '{"a":1}' })
  assert.equal(written.status, 503)
  assert.match(await written.text(), /may have been done or may still be done: please check/)
  open()
  assert.equal(await (await fetch(`${url}/api/geocode`)).text(), 'late')
  await app.close()
})

test('a response that streams without end is cut off', async () => {
  const app = await limited({ timeoutS: 0.1 })
  app.get('/*', of('page'), (_request, reply) => {
    const endless = new PassThrough()
    endless.write('begun')
    return reply.type('text/plain').send(endless)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await assert.rejects(fetch(url).then((response) => response.text()))
  await app.close()
})

test('a body that never ends times out with its route', async () => {
  const app = await limited({ timeoutS: 0.2 })
  app.post('/api/user/signIn', of('sign-in'), () => 'in')
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const socket = connect(port, '127.0.0.1')
  const type = 'content-type: application/json\r\ncontent-length: 100'
  socket.write(`POST /api/user/signIn HTTP/1.1\r\nhost: x\r\n${type}\r\nconnection: close\r\n\r\n{"a":`)
  assert.match(await text(socket), /^HTTP\/1\.1 503 /)
  await app.close()
})

test('work whose client has gone is not begun', async () => {
  const app = await limited({ maxConcurrent: 1 })
  let begun = 0
  let open = (): void => undefined
  app.get('/*', of('page'), async () => {
    begun++
    await new Promise<void>((end) => {
      open = end
    })
    return ''
  })
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const first = fetch(`http://127.0.0.1:${port}/`)
  while (begun === 0) await sleep(1)
  const leaving = new AbortController()
  const left = fetch(`http://127.0.0.1:${port}/`, { signal: leaving.signal }).catch(() => 'left')
  const waiting = app.server
  while ((await new Promise<number>((n) => waiting.getConnections((_error, count) => n(count)))) < 2)
    await sleep(1)
  await sleep(50) // the second request is read
  leaving.abort()
  assert.equal(await left, 'left')
  await sleep(50)
  open()
  await first
  await sleep(20)
  assert.equal(begun, 1)
  await app.close()
})

test('long URLs and unknown operations are rejected before anything else', async () => {
  const app = await limited({})
  app.addHook('onRequest', async () => assert.fail('nobody is looked up'))
  app.get('/*', of('page'), () => 'page')
  const long = await app.inject(`/?${'a'.repeat(2_000)}`)
  assert.deepEqual([long.statusCode, long.json().error.message], [400, 'This address is too long.'])
  for (const list of ['/manage/trade?box=', '/api/manage/labels?format=zpl&box=', '/api/box/epcis?box=']) {
    const boxes = Array.from({ length: 100 }, (_, i) => `${i}`.padStart(64, 'B')).join('%2C')
    const refused = await app.inject(`${list}${boxes}${'a'.repeat(600)}`)
    assert.equal(refused.json().error.message, 'This address is too long.', list)
  }
  const unknown = await app.inject({ method: 'POST', url: '/api/nothing', payload: { a: 1 } })
  assert.deepEqual([unknown.statusCode, unknown.json().error.code], [404, 'not_found'])
  await app.close()
})

test('the threat model names every class with its limits', async () => {
  const page = await readFile(new URL('../../../../docs/threat-model.md', import.meta.url), 'utf8')
  for (const [name, { bodyBytes, timeoutS, maxConcurrent, perMinute }] of Object.entries(limitClasses)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
    const limits = `| ${bodyBytes / 1024} KiB | ${timeoutS} s | ${maxConcurrent} | ${perMinute ?? 'none'} |`
    assert.ok(row?.endsWith(limits), `${name}: ${limits}`)
  }
})
