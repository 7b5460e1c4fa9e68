import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { testDatabases } from '#server/testing/database.ts'
import { notify, rows } from './client.ts'
import { openEmbedded } from './embedded.ts'

for (const [name, open] of testDatabases) {
  test(`${name}: tables are there and a notification arrives after its transaction commits`, async () => {
    await using t = await open()
    const tables = await rows<{ n: number }>(
      t.db,
      sql`select count(*)::int as n from information_schema.tables where table_schema = 'public'`,
    )
    assert.ok((tables[0]?.n ?? 0) >= 20)
    const heard = Promise.withResolvers<string>()
    const stop = await t.listen('news', heard.resolve)
    await t.db.transaction((tx) => notify(tx, 'news', 'fish'))
    assert.equal(await heard.promise, 'fish')
    await stop()
  })

  test(`${name}: the work runs once leadership is acquired`, async () => {
    await using t = await open()
    let ran = 0
    assert.equal(await t.withLeadership(7, async () => void ran++), true)
    assert.equal(ran, 1)
  })
}

test('a second process on the same data folder is refused with a message', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-lock-'))
  const first = await openEmbedded(folder)
  await assert.rejects(openEmbedded(folder), /is in use by another process \(\d+\)\. Stop that one/)
  await first.close()
  const again = await openEmbedded(folder)
  await again.close()
  await rm(folder, { recursive: true })
})
