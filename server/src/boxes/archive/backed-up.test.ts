import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DAY_MS } from '@befaqt/domain/durations'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { ledgerLocation } from '#server/anchoring/index.ts'
import { rows } from '#server/db/client.ts'
import { befaqt, fill, rowsAt, shopAt } from '#server/testing/backups.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { archiveBoxesJob } from './archive-boxes.ts'
import { dropRowsJob } from './drop-rows.ts'

const never = new AbortController().signal

for (const { kind, make, skip } of [
  { kind: 'embedded', make: restorableEmbedded, skip: false },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
])
  test(`${kind}: a backup of a shop with dropped rows lacks nothing, and a command brings the rows back`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    const folder = await mkdtemp(join(tmpdir(), 'befaqt-archived-'))
    const shop = await shopAt(place, network)
    const env = { ...shop.env, TMPDIR: folder }
    try {
      const database = await place.open()
      const { db } = database
      await fill(database, shop, network)
      await rows(
        db,
        sql`insert into box_watches (box_id, seq, warm_ms, alterations) select id, count, 0, alterations from boxes`,
      )
      await rows(db, sql`delete from watch_queue`)
      const texts = () =>
        rows(
          db,
          sql`select box_id, seq, body, dedupe_key, recorded_at::text from records order by box_id, seq`,
        )
      const before = await texts()
      const deps = {
        ...{ db, files: shop.store, chain: network.chain, log: pino({ level: 'silent' }) },
        ledger: ledgerLocation(db, network.chain, network.http.url),
        config: { ARCHIVE_AFTER_DAYS: 1, ARCHIVE_DROP_AFTER_DAYS: 1 },
        now: () => new Date(Date.now() + 2 * DAY_MS),
      }
      await archiveBoxesJob(deps)({}, never)
      await dropRowsJob(deps)({}, never)
      assert.equal((await texts()).length, before.length - 2, 'the two readings of the sealed box')
      await database.close()

      const backup = join(folder, 'a.backup')
      const made = await befaqt(env, ['backup', backup, '--without-secrets'])
      assert.equal(made.status, 0, made.said)
      const drilled = JSON.parse((await befaqt(env, ['drill', backup, '--json'])).printed)
      assert.deepEqual([drilled.problems, drilled.boxes, drilled.files], [[], { verified: 2 }, 2])
      await using other = await make()
      const copy = await shopAt(other, network)
      const restored = await befaqt(copy.env, ['restore', backup])
      assert.equal(restored.status, 0, restored.said)
      assert.deepEqual(await rowsAt(copy), await rowsAt(shop))

      const back = await befaqt(copy.env, ['archive', '--restore', 'all'])
      assert.equal(back.status, 0, back.said + back.printed)
      assert.equal(
        back.printed,
        `sealed: 2 rows are back.\n1 boxes are files, of ${bytesIn(back.printed)} bytes; of 0 of them rows were dropped.\n`,
      )
      const opened = await other.open()
      const after = await rows(
        opened.db,
        sql`select box_id, seq, body, dedupe_key, recorded_at::text from records order by box_id, seq`,
      )
      await opened.close()
      assert.deepEqual(after, before)
      const removed = await befaqt(copy.env, ['archive', '--remove', 'sealed'])
      assert.match(removed.printed, /^sealed: its file is removed\.\n0 boxes are files/)
      assert.equal((await befaqt(copy.env, ['archive', '--remove', 'sealed'])).status, 1)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

const bytesIn = (printed: string): string => /of (\d+) bytes/.exec(printed)?.[1] ?? ''
