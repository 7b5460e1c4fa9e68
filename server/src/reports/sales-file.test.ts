import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { ordered } from '#server/testing/amending.ts'
import { around, shopOfReports } from '#server/testing/reports.ts'
import { follow } from './projection.ts'
import { fileTurns, salesFile } from './read-sales.ts'
import { sales } from './sales-projection.ts'

test('sums of files of sales are read one after the other, and none for who left while waiting', async () => {
  await using shop = await shopOfReports()
  await ordered(shop, { snapper: 2 })
  await follow(shop.deps, sales(shop.deps))
  const turns = fileTurns()
  const before = Promise.withResolvers<void>()
  const first = turns()(() => before.promise)
  const gone = new AbortController()
  const begun = async (signal?: AbortSignal) => {
    const asked = { by: 'product', ...around() } as const
    const { lines } = await salesFile(shop.deps, { kind: 'anonymous' }, asked, turns(signal))
    assert.match((await lines.next()).value ?? '', /^\uFEFFproduct,orders,/, 'no first line waits')
    return lines
  }
  const [left, stays] = [await begun(gone.signal), await begun()]
  const lost = assert.rejects(left.next(), { name: 'AbortError' })
  const sums = stays.next()
  gone.abort()
  assert.equal(await Promise.race([sums, sleep(200, 'waits')]), 'waits')
  before.resolve()
  await Promise.all([first, lost])
  assert.match((await sums).value ?? '', /Snapper/)
})

test('a file of sales begins before its sums are read, and breaks off where they cannot be', async () => {
  await using shop = await shopOfReports()
  await ordered(shop, { snapper: 2 })
  const { lines } = await salesFile(
    shop.deps,
    { kind: 'anonymous' },
    { by: 'product', ...around() },
    fileTurns()(),
  )
  await shop.deps.db.execute(sql`alter table sales_sums rename to put_aside`)
  assert.match((await lines.next()).value ?? '', /^\uFEFFproduct,orders,/)
  await assert.rejects(lines.next(), /sales_sums/)
  const download = shop.admin(
    'GET',
    `/api/manage/report/sales/export?${new URLSearchParams({ by: 'product', ...around() })}`,
  )
  await assert.rejects(download, 'half a file is not taken for a whole one')
})
