import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type ReceivedSpan, startCollector } from '../../tools/test/collector.ts'
import { freePort } from '../../tools/test/free-port.ts'
import { callJson, orderByApi } from '../support/order.ts'
import { startServerOnPostgres, withoutPostgres } from '../support/postgres.ts'
import { admin, type Server, startServer } from '../support/server.ts'
import { startMailbox } from '../support/smtp.ts'
import { until, within } from '../support/within.ts'

const program = process.env.SERVER_PROGRAM
const root = join(import.meta.dirname, '../..')
const WORKER =
  program === undefined ? join(root, 'server/src/worker.ts') : join(dirname(program), 'worker.js')

/** A worker beside a shop, on its database and with its keys. */
async function startWorker({ dataDir }: Server, env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-worker-'))
  for (const file of ['secret.key', 'operator.key']) await copyFile(join(dataDir, file), join(folder, file))
  const port = await freePort()
  const child = spawn(process.execPath, [WORKER], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      ...{ DATA_DIR: folder, WORKER_PORT: String(port), MQTT_PORT: '0', DRAIN_S: '0', SAMPLE_DATA: 'off' },
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await until(120, 'the worker is up', () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

test('an order in one process and what another one does for it are one trace, also when the first one stops', {
  skip: withoutPostgres,
}, async () => {
  await using collector = await startCollector()
  await using mailbox = await startMailbox()
  let told = ''
  const receiver = createServer((request, response) => {
    told = String(request.headers.traceparent)
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  await using opened = new AsyncDisposableStack()
  opened.defer(() => void receiver.close())
  const shared = {
    SAMPLE_DATA: 'off',
    SMTP_URL: mailbox.url,
    WEBHOOK_PRIVATE_HOSTS: 'localhost',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  }
  await using server = await startServerOnPostgres({ env: shared })
  await server.query(
    `with c as (insert into categories (id, title, title_key, shelf_pos) values ('c', 'Fish', 'fish', '1')),
       p as (insert into products (id, title, category_id, price_cents, unit, stock, origin)
         values ('snapper', 'Snapper', 'c', 3000, 'kg', 50, 'Australia'))
     insert into events (kind) values ('catalogue.changed')`,
  )
  await until(60, 'it is sold', async () =>
    (await (await fetch(`${server.url}/api/product/active`)).text()).includes('Snapper'),
  )
  const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
  const slot = { kind: 'pickup', startsAt: at(24), endsAt: at(26), cutOffAt: at(23), capacity: 10 }
  await callJson(server, 'POST', '/api/slot', slot)
  const { port } = receiver.address() as AddressInfo
  const webhook = { address: `http://localhost:${port}/hook`, kinds: ['order.changed'] }
  const asAdmin = { 'content-type': 'application/json', origin: server.url }
  const signIn = { method: 'POST', headers: asAdmin, body: JSON.stringify(admin) }
  const session = (await fetch(`${server.url}/api/user/signIn`, signIn)).headers.getSetCookie()
  const cookie = session.map((one) => one.split(';', 1)[0]).join('; ')
  const add = { method: 'POST', headers: { ...asAdmin, cookie }, body: JSON.stringify(webhook) }
  assert.equal((await fetch(`${server.url}/api/manage/webhook`, add)).status, 201)
  await using worker = await startWorker(server, {
    ...shared,
    DATABASE_URL: server.databaseUrl,
    PUBLIC_URL: server.url,
  })
  const { number } = await orderByApi(server, 'Snapper', 1)
  assert.match(number, /^BF-/)
  await server.stop() // five seconds before the webhook is due
  await within(
    120,
    'the webhook is sent',
    collector.until(() => told !== ''),
  )
  const [, traceId] = told.split('-')
  const ofTrace = (): ReceivedSpan[] => collector.spans.filter((span) => span.traceId === traceId)
  const find = (name: string) =>
    within(
      60,
      name,
      collector.until(() => ofTrace().find((span) => span.name === name)),
    )
  const request = await find('POST /api/order')
  const sent = await find('job webhook.send')
  await find('job mail.send')
  await find('POST localhost')
  assert.equal(request.resource['process.pid'], server.pid)
  assert.equal(sent.resource['process.pid'], worker.pid)
  assert.equal(request.resource['deployment.environment.name'], 'test')
  assert.equal(request.parentId, '')
  assert.ok(ofTrace().some(({ name }) => name === 'insert orders'))
  assert.ok(collector.headers.every(({ authorization }) => authorization === 'Bearer of-the-collector'))
  assert.ok(collector.lines.some(({ body }) => body === 'ready to serve'))
})

/** Writes down the addresses of all modules that a process loads, when it ends. */
const WITNESS = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const seen = []
  registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) })
  process.on('exit', () => writeFileSync(process.env.SEEN_MODULES, seen.join('\\n')))`

for (const [how, env, isLoaded] of [
  ['without settings', {}, false],
  ['switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }, false],
  ['with a collector that is away', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
] as const)
  test(`${how}, packages of OpenTelemetry ${isLoaded ? 'are loaded, and the shop runs and stops' : 'are not even loaded'}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'befaqt-modules-'))
    const witness = join(folder, 'witness.mjs')
    const seen = join(folder, 'seen')
    await writeFile(witness, WITNESS)
    const options = `${process.env.NODE_OPTIONS ?? ''} --import ${pathToFileURL(witness).href}`
    const server = await startServer({
      env: { SAMPLE_DATA: 'off', NODE_OPTIONS: options, SEEN_MODULES: seen, ...env },
    })
    for (let i = 0; i < 20; i++) assert.equal((await fetch(`${server.url}/`)).status, 200)
    await server[Symbol.asyncDispose]()
    const modules = (await readFile(seen, 'utf8')).split('\n')
    assert.ok(
      modules.some((one) => /fastify|main\.(js|ts)/.test(one)),
      'modules were seen',
    )
    assert.equal(
      modules.some((one) => one.includes('@opentelemetry')),
      isLoaded,
    )
    await rm(folder, { recursive: true })
  })
