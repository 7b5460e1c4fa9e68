import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type pino from 'pino'
import { watchStandbys } from '#server/db/standbys.ts'
import { addBox, addRecords, collectAt } from '#server/testing/anchoring.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { linesOf, shopWithOrders } from '#server/testing/orders.ts'
import {
  commitsWait,
  configure,
  databaseAt,
  eventually,
  postgresServer,
  statements,
} from '#server/testing/standbys.ts'
import { attention } from './attention.ts'

const owner = { kind: 'user', userId: 'o', sessionId: 's', role: 'ADMIN' } as never

test('an order and an anchor wait for the synchronous standby where nothing else does, and are told while it is away', {
  skip: withoutPostgres,
}, async () => {
  await using one = await postgresServer()
  // What most of the shop does need not wait: an operator may have chosen so.
  await statements(one.url, 'alter database postgres set synchronous_commit = local')
  await using database = await databaseAt(one.url)
  await using two = await postgresServer(one.url)
  await using shop = await shopWithOrders({
    open: async () => ({ ...database, [Symbol.asyncDispose]: async () => undefined }),
  })
  const { db } = database
  const ready = async () => (await shop.app.inject('/readyz')).json()
  const told: { fault?: string; orders?: number; anchors?: number }[] = []
  shop.deps.log.warn = ((details: object) => void told.push(details)) as pino.LogFn
  await configure(one.url, `set synchronous_standby_names = '*'`)
  // Else what waits when this fails would wait for ever.
  await using _ = {
    [Symbol.asyncDispose]: () =>
      configure(one.url, 'reset synchronous_standby_names').then(
        () => undefined,
        () => undefined,
      ),
  }
  await eventually(async () => (await database.standbys?.look())?.synchronous === 1)
  await shop.placed({ ice: 1 })
  await addBox(db, 'BOX-1')
  await addRecords(db, 'BOX-1', 2)
  await eventually(async () => (await ready()).standby === 'ok')

  two.freeze()
  await db.execute(sql`update products set stock = stock + 1 where id = 'snapper'`)
  const ended: string[] = []
  const order = shop.place({ lines: linesOf({ ice: 2 }) }).finally(() => ended.push('order'))
  const anchor = collectAt(db, new Date()).finally(() => ended.push('anchor'))
  await Promise.race([commitsWait(one.url, 2), order, anchor])
  assert.deepEqual(ended, [], 'neither is told to anybody')
  assert.equal((await shop.app.inject('/api/slot')).statusCode, 200, 'the shop serves')
  const impatient = watchStandbys(db, false, 0.1)
  await eventually(async () =>
    /is more than 0.1 s behind: orders and anchors wait/.test((await impatient.look()).fault ?? ''),
  )
  two.thaw()
  assert.equal((await order).statusCode, 201)
  assert.equal((await anchor)?.index, 0)
  await eventually(async () => (await impatient.look()).fault === null)

  await two.crash()
  const missing =
    /^0 of 1 synchronous standby is connected \(synchronous_standby_names = \*\): orders and anchors wait until that changes, and nothing is sold$/
  await eventually(async () => missing.test((await ready()).standby))
  const state = await ready()
  assert.equal(state.ok, true, 'no process leaves the balancer for it')
  const late = shop.place({ lines: linesOf({ ice: 3 }) })
  await commitsWait(one.url)
  const [finding] = (await attention(shop.deps, owner)).filter(({ kind }) => kind === 'standby')
  assert.match(
    finding?.words ?? '',
    /^Database: 0 of 1 synchronous standby is connected.*, \d orders? and \d anchors? since \d{4}/,
  )
  const figures = async () => (await shop.app.inject('/metrics')).body
  await eventually(async () => /^befaqt_standbys\{kind="synchronous"\} 0$/m.test(await figures()), 1_000)
  assert.match(await figures(), /^befaqt_standbys\{kind="wanted"\} 1$/m)
  await two.restart()
  assert.equal((await late).statusCode, 201)
  await eventually(async () => (await ready()).standby === 'ok')
  await eventually(async () => /^befaqt_standbys\{kind="synchronous"\} 1$/m.test(await figures()), 1_000)
  assert.match(await figures(), /^befaqt_at_risk_seconds 0$/m)
  assert.deepEqual(
    (await attention(shop.deps, owner)).filter(({ kind }) => kind === 'standby'),
    [],
  )
  assert.equal(told.filter(({ fault }) => missing.test(fault ?? '')).length, 1, 'said once')

  // What a promoted standby knows is all that anybody was told.
  await one.crash()
  await statements(two.url, 'select pg_promote(true)')
  const [kept] = await statements<{ orders: number; anchors: number }>(
    two.url,
    'select (select count(*)::int from orders) as orders, (select count(*)::int from anchors) as anchors',
  )
  assert.deepEqual(kept, { orders: 3, anchors: 1 })
})

test('where nothing waits for standbys, one that is missing or late is told with what would be lost', {
  skip: withoutPostgres,
}, async () => {
  await using one = await postgresServer()
  await using database = await databaseAt(one.url)
  await using shop = await shopWithOrders({
    open: async () => ({ ...database, [Symbol.asyncDispose]: async () => undefined }),
  })
  const { db } = database
  const none = await watchStandbys(db, false).look()
  assert.deepEqual(
    none,
    { fault: null, following: 0, synchronous: 0, wanted: 0, atRisk: null },
    'one server alone is no fault',
  )
  const pair = watchStandbys(db, true, 0.1)
  const isTold = (words: RegExp) => async () => words.test((await pair.look()).fault ?? '')
  await eventually(isTold(/^no standby is connected: what comes in from now on, orders, anchors, readings/))
  await using two = await postgresServer(one.url)
  await eventually(async () => (await pair.look()).fault === null)

  two.freeze()
  await shop.placed({ ice: 1 })
  await eventually(isTold(/^the standby \S+ is more than 0\.1 s behind, and nothing waits for it/))
  await shop.placed({ ice: 1 })
  await addBox(db, 'BOX-1')
  await addRecords(db, 'BOX-1', 1)
  await collectAt(db, new Date())
  const costs = (orders: number, anchors: number) => async () => {
    const { atRisk } = await pair.look()
    return atRisk?.orders === orders && atRisk.anchors === anchors
  }
  await eventually(costs(2, 1))
  two.thaw()
  await eventually(async () => (await pair.look()).fault === null)

  await statements(one.url, `select pg_create_physical_replication_slot('second')`)
  await two.crash()
  const alone = watchStandbys(db, false)
  await eventually(async () =>
    /^no standby is connected \(second should be\): /.test((await alone.look()).fault ?? ''),
  )
  await shop.placed({ ice: 1 })
  await eventually(costs(1, 0))

  // Whoever may not see standbys is told so, instead of nothing.
  await two.restart()
  await statements(one.url, 'create role shop login', 'grant select on all tables in schema public to shop')
  await configure(one.url, `set synchronous_standby_names = 'ANY 2 (a, b)'`)
  const pool = new pg.Pool({ connectionString: one.url.replace('befaqt@', 'shop@') })
  try {
    const blind = watchStandbys(drizzle(pool) as never, false)
    await eventually(async () => /grant pg_read_all_stats/.test((await blind.look()).fault ?? ''))
    await statements(one.url, 'set synchronous_commit = local', 'grant pg_read_all_stats to shop')
    await eventually(async () =>
      /^0 of 2 synchronous standbys are connected/.test((await blind.look()).fault ?? ''),
    )
  } finally {
    await pool.end()
  }
})
