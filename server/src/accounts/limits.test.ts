import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { testDatabases } from '#server/testing/database.ts'
import { consume, formatWait, refund, reset } from './limits.ts'

const policy = { freeAttempts: 3, baseDelayS: 10, maxDelayS: 60, windowS: 600 }
const limit = { name: 'try', key: 'somebody@example.com', policy }
const start = new Date('2026-01-01T00:00:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000)

for (const [name, open] of testDatabases) {
  test(`${name}: a delay stored by a clock a day ahead blocks nobody`, async () => {
    await using t = await open()
    for (let i = 0; i < policy.freeAttempts; i++) await consume(t.db, limit, after(86_400))
    await assert.rejects(consume(t.db, limit, after(86_400)), { code: 'rate.limited' })
    for (let i = 0; i < policy.freeAttempts; i++) await consume(t.db, limit, start)
    await assert.rejects(consume(t.db, limit, start), { code: 'rate.limited' })
  })

  test(`${name}: delays grow from the first to the maximum, and attempts made during a delay do not lengthen it`, async () => {
    await using t = await open()
    let at = 0
    for (const wait of [0, 0, 10, 20, 40, 60, 60]) {
      await consume(t.db, limit, after(at))
      if (wait === 0) continue
      for (const early of [0, wait / 2, wait - 1])
        await assert.rejects(consume(t.db, limit, after(at + early)), {
          code: 'rate.limited',
          details: { retryAfterS: wait - early },
        })
      at += wait
    }
    await consume(t.db, limit, after(at + 601))
    await consume(t.db, limit, after(at + 601))
  })

  test(`${name}: concurrent attempts are counted like sequential ones`, async () => {
    await using t = await open()
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => consume(t.db, limit, start)))
    assert.equal(tries.filter((one) => one.status === 'fulfilled').length, 3)
  })

  test(`${name}: a refunded attempt is available again, a reset starts anew, and other limits are unaffected`, async () => {
    await using t = await open()
    const other = { ...limit, key: 'else' }
    for (let i = 0; i < 3; i++) await consume(t.db, limit, start)
    await consume(t.db, other, start)
    await assert.rejects(consume(t.db, limit, start), /Please wait 10 seconds\./)
    await refund(t.db, limit)
    await consume(t.db, limit, start)
    await assert.rejects(consume(t.db, limit, start))
    await reset(t.db, limit)
    for (let i = 0; i < 3; i++) await consume(t.db, limit, start)
    assert.deepEqual(await rows(t.db, sql`select count::int from rate_limits order by count`), [
      { count: 1 },
      { count: 3 },
    ])
  })

  test(`${name}: no email or network address can be read in the table`, async () => {
    await using t = await open()
    await consume(t.db, limit, start)
    const [row] = await rows<{ key: string }>(t.db, sql`select key from rate_limits`)
    assert.match(row?.key ?? '', /^try:[\w-]{43}$/)
  })
}

test('delays are described in words', () => {
  assert.deepEqual([1, 2, 90, 91, 900].map(formatWait), [
    '1 second',
    '2 seconds',
    '90 seconds',
    '2 minutes',
    '15 minutes',
  ])
})
