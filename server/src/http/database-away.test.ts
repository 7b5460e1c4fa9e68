import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { openLog } from '#server/config/log.ts'
import { rows } from '#server/db/client.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'

test('a request whose connection is cut in its transaction answers 503, and the next is served', {
  skip: withoutPostgres,
}, async () => {
  let logged = ''
  const to = new Writable({
    write: (chunk, _encoding, done) => {
      logged += chunk
      done()
    },
  })
  await using shop = await testShop({ open: testPostgres, deps: { log: openLog('info', to) } })
  const { db } = shop.deps
  const { key } = await db.transaction((tx) =>
    createApiKey(tx, { name: 'logger', rights: ['record:write'] }, 'test', shop.deps.now()),
  )
  const reading = { box: 'none', iotID: 'Eel-1', time: '2026-11-20 12:00:00', latitude: -33, longitude: 151 }
  const send = async () =>
    shop.app.inject({
      method: 'POST',
      url: '/api/tracking',
      headers: { authorization: `Bearer ${key}` },
      payload: { readings: [{ ...reading, temperature: 2 }] },
    })
  const cut = await db.transaction(async (tx) => {
    await rows(tx, sql`lock table boxes in access exclusive mode`)
    const sending = send()
    for (let ended = 0; ended === 0; ) {
      const blocked = await rows(
        db,
        sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
      )
      ended = blocked.length
    }
    return sending
  })
  assert.equal(cut.statusCode, 503)
  assert.equal(cut.json().error.code, 'unavailable')
  assert.match(cut.json().error.message, /can’t reach its database right now/)
  assert.match(String(cut.headers['retry-after']), /^\d+$/)
  const next = await send()
  assert.deepEqual([next.statusCode, next.json().refused.length], [200, 1], next.body)
  assert.match(logged, /terminating connection|Connection terminated/)
  assert.doesNotMatch(logged, /_types|"client"|"params"|Eel-1/)
})
