import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { startAnchoring } from '#server/anchoring/anchor-loop.ts'
import { ledgerLocation } from '#server/anchoring/ledger.ts'
import { noteDrill } from '#server/backup/last-drill.ts'
import { rows } from '#server/db/client.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDb } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

type Answer = { status: number; ok: boolean } & Record<string, unknown>

async function ready({ app }: TestShop): Promise<Answer> {
  const answer = await app.inject('/readyz')
  return { status: answer.statusCode, ...answer.json() }
}

/** Asks until the answer is such, or fails with the last one. */
async function readyUntil(shop: TestShop, is: (answer: Answer) => boolean): Promise<Answer> {
  const until = Date.now() + 60_000
  for (;;) {
    const answer = await ready(shop)
    if (is(answer) || Date.now() > until) return answer
    await sleep(100)
  }
}

test('readiness says which part is missing now, and when it is back', async () => {
  await using network = await testNetwork()
  const database = await testDb()
  const { chain } = network
  const said: { level: number; part: string; state: string }[] = []
  const log = pino({}, { write: (line) => void said.push(JSON.parse(line)) })
  await using shop = await testShop({
    open: async () => database,
    deps: { chain, ledger: ledgerLocation(database.db, chain, network.http.url), log },
  })
  const { deps } = shop
  const loop = startAnchoring(database, { ...deps, feeBumpAfterS: 60 }, 0.05)
  try {
    const whole = await readyUntil(shop, ({ chain: state }) => state === 'ok')
    const needed = ['database', 'migration']
    const aside = [
      'queue',
      'events',
      'chain',
      'files',
      'disk',
      'mail',
      'broker',
      'leader',
      'ledger',
      'log',
      'witnesses',
      'stamps',
      'standby',
      'replica',
      'nodes',
      'drill',
      'archives',
    ]
    const parts = [...needed, ...aside]
    assert.deepEqual(whole, {
      status: 200,
      ok: true,
      ...Object.fromEntries(parts.map((part) => [part, 'ok'])),
    })

    const ofChain = () => said.filter(({ part }) => part === 'chain').map(({ level }) => level)
    assert.deepEqual([...new Set(ofChain())], [30], 'what a process waits for as it starts is no warning')

    const rightNode = network.node.rpc
    network.node.rpc = () => new Promise(() => undefined)
    await sleep(1_100) // the last answer is given for a second
    assert.equal((await ready(shop)).chain, 'ok', 'a probe does not wait for what it only reports')
    const hung = await readyUntil(shop, ({ chain: state }) => state !== 'ok')
    assert.deepEqual([hung.status, hung.ok, hung.chain], [200, true, 'timeout after 2 s'])
    assert.equal(ofChain().at(-1), 40, 'what was ready and is no longer, is one')
    await network.reset()
    const empty = await readyUntil(shop, ({ chain: state }) =>
      /has no contract at the ledger/.test(String(state)),
    )
    assert.equal(empty.status, 200, JSON.stringify(empty))
    network.node.rpc = rightNode

    const folder = join(deps.config.DATA_DIR, 'files')
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'a file where the folder was')
    const lame = await readyUntil(shop, ({ files }) => files !== 'ok')
    assert.match(String(lame.files), /unreachable/)
    assert.deepEqual([lame.status, lame.ok, lame.database], [200, true, 'ok'])
    await rm(folder)
    await mkdir(folder)
    assert.equal((await readyUntil(shop, ({ files }) => files === 'ok')).status, 200)
  } finally {
    await loop.stop()
  }
  const alone = await readyUntil(shop, ({ leader }) => leader !== 'ok')
  assert.deepEqual(
    [alone.status, alone.leader],
    [200, 'there is no leader: no process is anchoring'],
    'the shop sells without',
  )
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  const { ok, parts } = (await owner('GET', '/api/manage/health')).json()
  const { status: _, ok: isReady, ...states } = await ready(shop)
  assert.deepEqual(
    [ok, Object.fromEntries(parts.map(({ name, state }: Record<string, string>) => [name, state]))],
    [isReady, states],
    'the desk says what a probe is told',
  )
  assert.equal(states.leader, alone.leader)
})

test('metrics answer at once while the chain hangs, and count requests by route', async () => {
  await using network = await testNetwork()
  const { chain } = network
  await using shop = await testShop({ deps: { chain } })
  network.node.rpc = () => new Promise(() => undefined)
  await shop.app.inject('/api/product/eel')
  let text = (await shop.app.inject('/metrics')).body
  assert.match(text, /^befaqt_figures_age_seconds NaN$/m, 'it did not wait for the first look')
  const route = 'method="GET",route="/api/product/:id",status="404"'
  assert.ok(text.includes(`befaqt_http_request_duration_seconds_count{${route}} 1`), text)
  assert.ok(text.includes(`befaqt_http_request_duration_seconds_bucket{${route},le="+Inf"} 1`))
  assert.match(text, /^befaqt_build_info\{version="[^"]+",build="[^"]+",node="24\.[^"]+"\} 1$/m)
  for (const wanted of [
    /^befaqt_part_up\{part="chain"\} 0$/m,
    /^befaqt_data_dir_free_bytes \d+$/m,
    /^befaqt_jobs_waiting \d+$/m,
  ])
    while (!wanted.test(text)) {
      await sleep(50)
      text = (await shop.app.inject('/metrics')).body
    }
})

test('jobs that wait, emails that fail and a broker that nobody is connected to are reported, and the process stays ready', async () => {
  await using shop = await testShop()
  const { db, ingestion } = shop.deps
  await rows(
    db,
    sql`insert into jobs (queue, payload, run_at) values ('nobody', '{}', now() - interval '10 minutes')`,
  )
  await rows(
    db,
    sql`insert into jobs (queue, payload, run_at, created_at, last_error)
        values (${MAIL_QUEUE}, '{}', now() + interval '1 hour', now() - interval '1 hour', 'away')`,
  )
  ingestion.broker.kind = 'outside'
  await rows(
    shop.deps.db,
    sql`insert into events (kind, keys, number, at) select 'box.grown', '{X}', last + 1, now() - interval '10 minutes' from event_numbers`,
  )
  await rows(
    shop.deps.db,
    sql`insert into event_consumers (name, last) select 'a.consumer', last from event_numbers`,
  )
  await rows(shop.deps.db, sql`update event_numbers set last = last + 1`)
  const { status, ok, queue, events, mail, broker } = await ready(shop)
  assert.deepEqual([status, ok], [200, true])
  assert.match(String(queue), /^a due job has waited for 60\d s$/)
  assert.match(String(events), /^a\.consumer is behind: the oldest has waited for 60\d s$/)
  assert.equal(mail, '1 emails keep failing and are retried')
  assert.equal(broker, 'no process is connected to the MQTT broker')
})

test('without the newest migration, as after an older backup was restored, the process is not ready', async () => {
  await using shop = await testShop()
  await rows(
    shop.deps.db,
    sql`delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`,
  )
  const { status, migration, database } = await ready(shop)
  assert.deepEqual([status, migration, database], [503, 'migrations are missing: restart this process', 'ok'])
})

test('a backup that no shop came of, and one that nobody tried for weeks, are reported, and the process stays ready', async () => {
  await using shop = await testShop({ env: { BACKUP_DIR: '/backups' } })
  const { DATA_DIR } = shop.deps.config
  const drilled = async (daysAgo: number, ok: boolean): Promise<Answer> => {
    const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
    await noteDrill(DATA_DIR, { at, ok, problems: ok ? [] : ['a box'], backup: 'x', madeAt: at, tookS: 1 })
    await sleep(1_100) // the last answer is given for a second
    return ready(shop)
  }
  assert.equal((await ready(shop)).drill, 'ok', 'none was held yet')
  const failed = await drilled(0, false)
  assert.match(String(failed.drill), /^no shop came of the newest backup, tried 20/)
  assert.deepEqual([failed.status, failed.ok], [200, true])
  assert.equal((await drilled(13, true)).drill, 'ok')
  assert.equal((await drilled(15, true)).drill, 'no backup was tried for 15 days')
})
