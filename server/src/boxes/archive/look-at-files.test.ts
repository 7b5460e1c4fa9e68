import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ShopError } from '@befaqt/domain/errors'
import { asc, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { boxArchives } from '#server/db/schema/archives.ts'
import { archivesAsked, sayArchives } from '#server/doctor/archives.ts'
import { SEASON, shopWithOldBoxes } from '#server/testing/archives.ts'
import { testDatabases } from '#server/testing/database.ts'
import { archiveBoxesJob } from './archive-boxes.ts'
import { hourlyArchiveLook, lookAtArchivesJob, lostArchives } from './look-at-files.ts'

const never = new AbortController().signal

for (const [name, open] of testDatabases)
  test(`${name}: a file of a sealed box that is gone or damaged is told of, a few files a run, until it is back`, async () => {
    await using shop = await shopWithOldBoxes(open)
    const { deps } = shop
    const { db } = deps
    await archiveBoxesJob(shop.laterBy(SEASON + 1))({}, never)
    const kept = await db.select().from(boxArchives).orderBy(asc(boxArchives.boxId))
    const [old, other] = kept
    assert.ok(old && other)
    const quiet = shop.laterBy(0)
    const look = (files = 100, bytes = 1e9) => lookAtArchivesJob(quiet, { files, bytes })({}, never)
    const lost = async (): Promise<string[]> => (await lostArchives(db)).map(({ boxId }) => boxId)
    const said = async (): Promise<string[]> => {
      const asked = await db.transaction(archivesAsked)
      return (await sayArchives(asked, deps.files, never)).map(({ level, words }) => `${level}: ${words}`)
    }
    const ready = async (is: (state: string) => boolean): Promise<string> => {
      for (const until = Date.now() + 10_000; ; await sleep(200)) {
        const { archives } = (await shop.app.inject('/readyz')).json()
        if (is(archives) || Date.now() > until) return archives
      }
    }
    assert.deepEqual(await said(), ['ok: Of files of sealed boxes 2 were read, each as it was written.'])
    await look()
    assert.deepEqual(await lost(), [])

    const file = join(deps.config.DATA_DIR, 'files', other.objectKey)
    const bytes = await readFile(file)
    await rm(file)
    await look(1)
    assert.deepEqual(await lost(), [], 'one file a run: it is not its turn')
    await look(1)
    assert.deepEqual(await lost(), ['OLD-2'])
    assert.equal(await ready((state) => state !== 'ok'), 'the file of box OLD-2 is missing or damaged')
    assert.deepEqual(await said(), [`fault: The file of box OLD-2 is missing or damaged: ${other.objectKey}`])
    await look(1)
    assert.deepEqual(await lost(), ['OLD-2'], 'it is looked at again whoever has his turn')

    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed[40] ?? 0) ^ 1, 40)
    await writeFile(file, changed)
    await rows(db, sql`delete from installation where name = 'archives-looked-at'`)
    await look(100, 1)
    assert.deepEqual(await lost(), [], 'one at least, and no more bytes than a run may read')
    await look(100, 1)
    assert.deepEqual(await lost(), ['OLD-2'], 'another byte')
    assert.equal((await said()).length, 1)

    const unreachable = async (): Promise<never> => {
      throw new ShopError('unavailable', 'The store is away.')
    }
    const away = { ...quiet, files: { ...deps.files, read: unreachable } }
    await assert.rejects(async () => lookAtArchivesJob(away)({}, never), /is away/)
    assert.deepEqual(await lost(), ['OLD-2'], 'a store that fails says nothing of its files')

    await writeFile(file, bytes)
    await look(1)
    assert.deepEqual(await lost(), [])
    assert.equal(await ready((state) => state === 'ok'), 'ok')
    assert.match((await said()).join(), /^ok: /)

    // A box whose file was removed by an operator is no more looked for
    await rm(file)
    await look()
    assert.deepEqual(await lost(), ['OLD-2'])
    await rows(db, sql`delete from box_archives where box_id = 'OLD-2'`)
    assert.deepEqual(await lost(), [])
  })

test('files of sealed boxes are looked at each hour, at half past', () => {
  const at = (time: string): string =>
    hourlyArchiveLook
      .next(new Date(`2026-11-28T${time}Z`))
      .toISOString()
      .slice(11, 16)
  assert.deepEqual(['00:00', '00:29', '00:30', '23:59'].map(at), ['00:30', '00:30', '01:30', '00:30'])
})
