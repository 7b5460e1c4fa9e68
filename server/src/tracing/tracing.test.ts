import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { readConfig } from '#server/config/config.ts'
import { openLog } from '#server/config/log.ts'
import { rows } from '#server/db/client.ts'
import { consume } from '#server/db/consume.ts'
import { interactiveJobs, webhookJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, shopWithOrders } from '#server/testing/orders.ts'
import { smtpServer } from '#server/testing/smtp-server.ts'
import { webhookConsumer } from '#server/webhooks/tell-webhooks.ts'
import { type ReceivedSpan, startCollector } from '../../../tools/test/collector.ts'
import { pageOf } from './request-spans.ts'
import { lostTelemetry, reportTelemetryTo, startTelemetry, stopTelemetry } from './telemetry.ts'

const silent = { warn: () => undefined, error: () => undefined }
const SAMPLED = '01'
const newParent = (flags = SAMPLED): string =>
  `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-${flags}`
const traceOf = (traceparent: string): string => traceparent.split('-')[1] ?? ''

/** A shop that sends traces to a collector, with a mail server and somebody's machine that is told of orders. */
async function tracedShop(open?: (typeof testDatabases)[number][1], env: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack()
  const collector = opened.use(await startCollector())
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100', ...env }
  const telemetry = await startTelemetry(readConfig(settings))
  opened.defer(() => stopTelemetry())
  const mail = opened.use(await smtpServer())
  const heard: IncomingHttpHeaders[] = []
  const listener = createServer(async (request, response) => {
    heard.push(request.headers)
    await text(request)
    response.end()
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  opened.defer(() => void listener.close())
  const address = `http://localhost:${(listener.address() as AddressInfo).port}/hook/k3y-of-a-receiver`
  const shop = opened.use(
    await shopWithOrders({
      env: { WEBHOOK_PRIVATE_HOSTS: 'localhost', SMTP_URL: mail.url, TRUSTED_PROXIES: 'loopback' },
      ...(open && { open }),
    }),
  )
  const { db } = shop.deps
  const never = new AbortController().signal
  const all = opened.move()
  return {
    ...shop,
    collector,
    telemetry,
    heard,
    address,
    mail,
    /** What processes do in the background, until nothing is left. */
    work: async () => {
      while (await consume(db, webhookConsumer, silent));
      await rows(db, sql`update jobs set run_at = now() where queue = 'webhook.send'`)
      await runDueJobs(db, { ...interactiveJobs(shop.deps), ...webhookJobs(shop.deps) }, silent, never)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const childrenOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan): ReceivedSpan[] =>
  spans.filter(({ parentId, traceId }) => parentId === parent.spanId && traceId === parent.traceId)

for (const [name, open] of testDatabases) {
  test(`${name}: one trace leads from a request through its statements to jobs, events, an email and a webhook`, async () => {
    await using shop = await tracedShop(open)
    const { collector } = shop
    await shop.admin('POST', '/api/manage/webhook', { address: shop.address, kinds: ['order.changed'] })
    await shop.work()
    const traceparent = newParent()
    const placed = await shop.place({ lines: linesOf({ snapper: 2 }) }, { traceparent })
    assert.equal(placed.statusCode, 201, placed.body)
    await shop.work()
    const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === traceOf(traceparent))
    const last = ['POST /api/order', 'job mail.send', 'job webhook.send']
    await collector.until(() => last.every((one) => ofTrace().some(({ name }) => name === one)))
    const spans = ofTrace()
    const named = (what: string): ReceivedSpan => {
      const found = spans.find(({ name }) => name === what)
      assert.ok(found, `${what} among ${spans.map(({ name }) => name).join(', ')}`)
      return found
    }
    const request = named('POST /api/order')
    assert.equal(request.parentId, traceparent.split('-')[2])
    assert.equal(request.attributes['http.response.status_code'], 201)
    const commit = named('group commit')
    assert.equal(commit.parentId, request.spanId)
    const statements = childrenOf(spans, commit)
    const texts = statements.map(({ attributes }) => String(attributes['db.query.text']))
    assert.ok(
      texts.some((one) => one.startsWith('insert into "orders"')),
      texts.join('\n'),
    )
    assert.ok(texts.some((one) => /\$\d/.test(one)))
    const email = named('send email')
    const job = named('job mail.send')
    assert.equal(email.parentId, job.spanId)
    assert.equal(job.parentId, commit.spanId, 'a job hangs under what enqueued it')
    assert.ok(
      childrenOf(spans, job).some(({ name }) => name === 'delete jobs'),
      'its statements are its own',
    )
    const told = named('consume webhooks')
    const sent = named('job webhook.send')
    assert.equal(told.parentId, commit.spanId, 'an event that a trigger appended, too')
    assert.equal(sent.parentId, told.spanId)
    const call = named('POST localhost')
    assert.equal(call.parentId, sent.spanId)
    const [headers] = shop.heard.slice(-1)
    assert.equal(headers?.traceparent, `00-${call.traceId}-${call.spanId}-01`)
  })

  test(`${name}: nothing that somebody typed, and no secret, is in what is sent`, async () => {
    await using shop = await tracedShop(open, { OTEL_LOGS_EXPORTER: 'otlp' })
    const { collector } = shop
    const log = openLog('info', { write: () => undefined }, shop.telemetry)
    const { body } = await shop.admin('POST', '/api/manage/webhook', {
      address: shop.address,
      kinds: ['order.changed'],
    })
    const made = await shop.place(
      { lines: linesOf({ snapper: 2 }), note: 'Ring at the blue door' },
      { 'idempotency-key': 'k3y-of-a-request' },
    )
    const { link, _id } = made.json()
    await shop.app.inject(`/api/order/${_id}?token=${new URL(link, 'http://x').searchParams}`)
    await shop.app.inject('/user/resetpassword/t0ken-of-an-email?email=ann@example.org')
    await shop.admin('POST', '/api/user/signIn', { email: 'x@example.org', password: 'pass-of-somebody' })
    await shop.work()
    log.warn({ network: '203.0.113.9', agent: 'Some browser', code: 'x.y' }, 'sign-in refused')
    await collector.until(() => collector.spans.some(({ name }) => name === 'send email'))
    const [line] = await collector.until(() => collector.lines.length > 0 && collector.lines)
    assert.deepEqual(
      [line?.body, line?.severity, line?.attributes],
      ['sign-in refused', 'WARN', { code: 'x.y' }],
    )
    const sent = collector.everything().toString('latin1')
    assert.ok(sent.includes('insert into "orders"'))
    const { fname, lname, email, phone } = buyer
    const secrets = [
      ...[`${fname} ${lname}`, email, phone, 'blue door', 'k3y-of-a-', 't0ken-of', 'pass-of', 'x@example'],
      ...[JSON.parse(body).secret, new URL(link, 'http://x').search.slice(-20), '203.0.113', 'Some browser'],
    ]
    for (const secret of secrets) {
      assert.ok(secret.length > 4, secret)
      assert.ok(!sent.includes(secret), `${secret} is in what was sent`)
    }
    const words = ['lname', 'email', 'phone', 'password']
    for (const { attributes } of collector.spans)
      for (const [key, value] of Object.entries(attributes))
        if (key !== 'db.query.text') assert.ok(!words.includes(String(value)), `${key}: ${value}`)
  })

  test(`${name}: orders that are placed together each have their trace, and those of the others lead to the first`, async () => {
    await using shop = await tracedShop(open)
    const parents = Array.from({ length: 6 }, () => newParent())
    const answers = await Promise.all(
      parents.map((traceparent) => shop.place({ lines: linesOf({ ice: 1 }) }, { traceparent })),
    )
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([201]))
    const commits = await shop.collector.until(() => {
      const found = shop.collector.spans.filter(({ name }) => name === 'group commit')
      return found.length === 6 && found
    })
    assert.deepEqual(commits.map(({ traceId }) => traceId).sort(), parents.map(traceOf).sort())
    const linked = commits.filter(({ links }) => links.length > 0)
    assert.ok(linked.length > 0, 'some were placed with another')
    for (const { links } of linked)
      assert.ok(commits.some(({ spanId, links: none }) => spanId === links[0]?.spanId && none.length === 0))
  })
}

test('a stranger chooses neither in which trace a request is, nor whether it is recorded', async () => {
  await using shop = await tracedShop(undefined, {
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  const ask = (traceparent: string, remoteAddress: string) =>
    shop.app.inject({ url: '/api/product/active', headers: { traceparent }, remoteAddress })
  const [strange, unwanted, wanted] = [newParent(), newParent('00'), newParent()]
  await ask(strange, '203.0.113.7')
  await ask(unwanted, '127.0.0.1')
  await ask('00-00000000000000000000000000000000-0000000000000000-01', '127.0.0.1')
  await ask(wanted, '127.0.0.1')
  await shop.collector.until(() => shop.collector.spans.some(({ kind }) => kind === 2))
  assert.deepEqual([...new Set(shop.collector.spans.map(({ traceId }) => traceId))], [traceOf(wanted)])
})

test('who is not trusted gets a trace of its own that is linked to theirs', async () => {
  await using shop = await tracedShop()
  const strange = newParent()
  await shop.app.inject({
    url: '/api/product/active',
    headers: { traceparent: strange },
    remoteAddress: '203.0.113.7',
  })
  const isAsked = ({ name }: ReceivedSpan): boolean => name === 'GET /api/product/active'
  const span = await shop.collector.until(() => shop.collector.spans.find(isAsked))
  assert.notEqual(span.traceId, traceOf(strange))
  assert.deepEqual(
    span.links.map(({ traceId }) => traceId),
    [traceOf(strange)],
  )
})

test('a share of traces is recorded, each whole, and the rest leaves nothing in rows', async () => {
  await using shop = await tracedShop(undefined, {
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  })
  const REQUESTS = 60
  for (let i = 0; i < REQUESTS; i++) await shop.admin('GET', '/api/user')
  const isAsked = ({ name }: ReceivedSpan): boolean => name === 'GET /api/user'
  await stopTelemetry()
  const asked = shop.collector.spans.filter(isAsked)
  assert.ok(asked.length > 10 && asked.length < 50, `${asked.length} of ${REQUESTS}`)
  for (const span of asked)
    assert.ok(childrenOf(shop.collector.spans, span).length > 0, 'with its statements')
  const roots = new Set(shop.collector.spans.filter(({ kind }) => kind === 2).map(({ traceId }) => traceId))
  for (const { name, traceId } of shop.collector.spans)
    assert.ok(roots.has(traceId), `${name} has its request`)
})

test('a collector that hangs, refuses or is away holds up nothing, and is named once', async () => {
  await using shop = await tracedShop(undefined, { OTEL_EXPORTER_OTLP_TIMEOUT: '300' })
  const { collector } = shop
  const said: object[] = []
  const note = (details: object, message: string) => void said.push({ message, ...details })
  reportTelemetryTo({ warn: note, info: note } as never)
  const before = lostTelemetry().traces
  for (const mood of ['hangs', 400, 503] as const) {
    collector.mood.is = mood
    const first = collector.asked()
    while (collector.asked() < first + 2) {
      assert.equal((await shop.app.inject('/api/product/active')).statusCode, 200)
      await sleep(50)
    }
  }
  assert.equal(said.length, 1, JSON.stringify(said))
  assert.match(JSON.stringify(said), /the collector takes no telemetry/)
  assert.ok(lostTelemetry().traces > before)
  collector.mood.is = 'takes'
  while (said.length < 2) {
    await shop.app.inject('/api/product/active')
    await sleep(50)
  }
  assert.match(JSON.stringify(said[1]), /takes telemetry again","what":"traces","lost":[1-9]/)
  collector.mood.is = 'hangs'
  const first = collector.asked()
  await shop.app.inject('/api/product/active')
  const stopping = stopTelemetry(100)
  await collector.until(() => collector.asked() > first)
  await stopping // although no answer came
})

test('pages are named by words of ours alone', () => {
  for (const [url, name] of [
    ['/', '/'],
    ['/product?q=ann', '/product'],
    ['/category/whole-fish', '/category/:id'],
    ['/SFMBox/byId/B-7?x=1', '/SFMBox/byId/:id'],
    ['/user/activate/abcdef', '/user/activate/:id'],
    ['/manage/order/7/pack', '/manage/order/:id/pack'],
    ['/ann@example.org', '/:id'],
  ] as const)
    assert.equal(pageOf(url), name)
})
