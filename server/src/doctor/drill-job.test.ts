import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeBackup } from '#server/backup/backup-file.ts'
import { drillFault, lastDrill } from '#server/backup/last-drill.ts'
import { backup } from '#server/backup/make-backup.ts'
import { readConfig } from '#server/config/config.ts'
import { fill, shopAt, wanted } from '#server/testing/backups.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { drillJob, weeklyDrill } from './drill-job.ts'

const OURS = 'a passphrase of these tests'

test('a drill is held on the next Sunday night of the market, where backups have a folder', () => {
  const [weekly] = weeklyDrill({ BACKUP_DIR: '/backups' }, 'Australia/Sydney')
  const next = (at: string) => weekly?.next(new Date(at)).toISOString()
  assert.equal(next('2026-11-27T00:00:00Z'), '2026-11-28T16:00:00.000Z')
  assert.equal(next('2026-11-28T16:00:00Z'), '2026-12-05T16:00:00.000Z')
  assert.equal(next('2026-10-03T12:00:00Z'), '2026-10-03T16:00:00.000Z', 'the night that has no two o’clock')
  assert.deepEqual(weeklyDrill({ BACKUP_DIR: undefined }, 'Australia/Sydney'), [])
})

// Of the embedded database drill.test.ts holds some, at ten times the cost.
const make = withoutPostgres ? restorableEmbedded : restorablePostgres

test('the worker tries the newest backup that its passphrase opens, and what came of it is written down', async () => {
  await using place = await make()
  await using network = await testNetwork()
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-kept-'))
  const shop = await shopAt(place, network)
  const database = await place.open()
  await fill(database, shop, network)
  await database.close()
  const path = (name: string): string => join(folder, name)
  const at = async (name: string, seconds: number, passphrase: string) => {
    await writeBackup(path(name), backup(wanted(shop, { passphrase })))
    await utimes(path(name), seconds, seconds)
  }
  await at('a.backup', 1, OURS)
  await at('b.backup', 2, 'somebody else typed this')
  const config = readConfig({ ...shop.env, BACKUP_DIR: folder, BACKUP_PASSPHRASE: OURS })
  const logged: string[] = []
  const log = {
    info: (_: object, words: string) => void logged.push(words),
    error: (_: object, words: string) => void logged.push(words),
  }
  const job = drillJob({ config, log })
  const noted = () => lastDrill(config.DATA_DIR)
  const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('befaqt-drill-'))
  const before = await left()
  try {
    const stop = new AbortController()
    const stopped = job({}, stop.signal)
    await sleep(300)
    stop.abort(new Error('the process stops'))
    await assert.rejects(stopped, /the process stops/)
    assert.equal(await noted(), undefined, 'which says nothing of the backup')

    await job({}, new AbortController().signal)
    const good = await noted()
    assert.deepEqual([good?.ok, good?.backup, good?.problems], [true, 'a.backup', []])
    assert.equal(await drillFault(config), null)

    const whole = await readFile(path('a.backup'))
    await writeFile(path('c.backup'), whole.subarray(0, whole.length - 9))
    await job({}, new AbortController().signal)
    const bad = await noted()
    assert.deepEqual([bad?.ok, bad?.goodAt], [false, good?.at])
    assert.match(bad?.problems.join() ?? '', /Half a backup/)
    assert.match((await drillFault(config)) ?? '', /^no shop came of the newest backup, tried /)
    for (const name of ['a.backup', 'c.backup']) await rm(path(name))
    await job({}, new AbortController().signal)
    assert.match(
      (await noted())?.problems.join() ?? '',
      /no backup in .* that the passphrase of the settings/,
    )
    assert.deepEqual(
      logged.map((words) => /would be the shop again/.test(words)),
      [true, false, false],
    )
    assert.deepEqual(await left(), before)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
