import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RestoreState } from '@befaqt/domain/restore'
import { sql } from 'drizzle-orm'
import { acquireLock } from '#server/db/directory-lock.ts'
import { fill, shopAt, wanted } from '#server/testing/backups.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { type TestNetwork, testNetwork } from '#server/testing/network.ts'
import { restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { smallDisk } from '#server/testing/small-disk.ts'
import { freePort } from '../../../../tools/test/free-port.ts'
import { backup } from '../make-backup.ts'
import { changing, restoreFolder, uploadedFile } from './restore-folder.ts'
import { beginTurn, endTurn, sayState, stateOf, tabOf } from './restore-state.ts'
import { RestoreProcess } from './run-restore.ts'

const since = '2026-11-29T08:00:00.000Z'
const progress = { step: 'restoring', since, rows: 5, about: 10, objects: 0, bytes: 100 } as const
const PASSPHRASE = 'a passphrase of these tests'

let network: TestNetwork
let whole: Buffer
before(async () => {
  network = await testNetwork()
  whole = await largeBackup()
})
after(() => network[Symbol.asyncDispose]())

/** A bare shop's folder of restores. */
async function emptyFolder(dataDir: string): Promise<string> {
  const folder = restoreFolder({ DATA_DIR: dataDir })
  await mkdir(folder, { recursive: true })
  return folder
}

test('progress is what the holder of the lock says; of one that is gone it is said that it was ended', async () => {
  await using place = await restorableEmbedded()
  const folder = await emptyFolder((await shopAt(place)).config.DATA_DIR)
  const unlock = await acquireLock(folder)
  await sayState(folder, { tab: 'x', progress, outcome: null })
  assert.deepEqual((await stateOf(folder))?.progress, progress)
  await unlock()
  const state = await stateOf(folder)
  assert.deepEqual([state?.progress, state?.outcome?.ok], [null, false])
  assert.match(state?.outcome?.words.join() ?? '', /was ended in the middle/)

  await writeFile(join(folder, 'switch.json'), '{}')
  const atLastStep = (await stateOf(folder))?.outcome
  assert.match(atLastStep?.words.join() ?? '', /ended at its last step/)
  assert.deepEqual([state?.outcome?.isOpen, atLastStep?.isOpen], [undefined, true], 'nobody knows which yet')
  await rm(join(folder, 'switch.json'))

  // A part of a file that is sent holds the lock too: that is no progress of what was ended.
  await changing(folder, async () => {
    const during = await stateOf(folder)
    assert.deepEqual([during?.progress, during?.outcome?.ok], [null, false])
  })
})

test('while it is the turn of a process it goes on, and nobody changes the file; no longer than that', async () => {
  await using place = await restorableEmbedded()
  const folder = await emptyFolder((await shopAt(place)).config.DATA_DIR)
  const state = { tab: 'x', progress, outcome: null }
  await beginTurn(folder, state)
  assert.deepEqual((await stateOf(folder))?.progress, progress)
  await assert.rejects(
    changing(folder, () => Promise.resolve()),
    /being restored already/,
  )
  await endTurn(folder)
  assert.equal((await stateOf(folder))?.outcome?.ok, false)
  await changing(folder, () => Promise.resolve())
  await beginTurn(folder, state)
  await endTurn(folder)
})

test('a turn that is another’s is a conflict; one that can’t be said is nobody’s, and can be taken again', async () => {
  await using place = await restorableEmbedded()
  const folder = await emptyFolder((await shopAt(place)).config.DATA_DIR)
  const state = { tab: 'x', progress, outcome: null }
  await beginTurn(folder, state)
  await assert.rejects(beginTurn(folder, state), { code: 'conflict' })
  await endTurn(folder)
  await mkdir(join(folder, 'state.json.new'))
  await assert.rejects(beginTurn(folder, state), { code: 'EISDIR' })
  await rm(join(folder, 'state.json.new'), { recursive: true })
  await beginTurn(folder, state)
  await endTurn(folder)
})

/** A web process of its own on this database and DATA_DIR, once it answers. Use with `await using`. */
async function webProcess(env: Record<string, string>) {
  const port = await freePort()
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const quiet = { LOG_LEVEL: 'silent', SAMPLE_DATA: 'off', DRAIN_S: '0', MQTT_PORT: '0', HOST: '127.0.0.1' }
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../main.ts', import.meta.url))], {
    env: { PATH, NODE_COMPILE_CACHE, ...quiet, ...env, PORT: `${port}` },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: AbortSignal.timeout(5_000) })
  const isReady = () =>
    ask('/readyz').then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; tries < 300 && !(await isReady()); tries++) await sleep(200)
  return {
    /** What it says of restores. @param tab by which that is recognized which began it */
    restore: async (tab: string): Promise<RestoreState> => {
      const answer = await ask('/api/restore', { 'restore-tab': tab })
      assert.equal(answer.status, 200, await answer.clone().text())
      return RestoreState.parse(await answer.json())
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A backup of several megabytes, so that it can stop in the middle. */
async function largeBackup(): Promise<Buffer> {
  await using source = await restorableEmbedded()
  const shop = await shopAt(source, network)
  const opened = await source.open()
  try {
    await fill(opened, shop, network)
    const value = randomBytes(3_000_000).toString('base64')
    await opened.db.execute(sql`insert into installation (name, value) values ('large', ${value})`)
    return await buffer(backup(wanted(shop, { passphrase: PASSPHRASE, secrets: true })))
  } finally {
    await opened.close()
  }
}

test('a disk that fills up in the middle of a restore is said, and nothing of it is left', async (t) => {
  const mounted = await smallDisk(24) // less than a database has
  if ('why' in mounted) return t.skip(mounted.why)
  await using disk = mounted
  const { config } = await shopAt({ env: { DATA_DIR: join(disk.folder, 'data') } }, network)
  const folder = await emptyFolder(config.DATA_DIR)
  await writeFile(uploadedFile(folder), whole)
  const order = { config, passphrase: PASSPHRASE, owner: null, tab: tabOf('a'.repeat(32)) }
  const restoring = new RestoreProcess({ what: 'restore', ...order })
  const { ok, words } = await restoring.ended
  await restoring.gone()
  assert.deepEqual([ok, words.length], [false, 1])
  assert.match(words.join(), /The disk is full/)
  assert.deepEqual((await stateOf(folder))?.outcome?.words, words)
  const left = (await readdir(folder)).filter((name) => !/^(in-use\.db|state\.json|upload\.part)$/.test(name))
  assert.deepEqual(left, [])
  assert.ok(!(await readdir(config.DATA_DIR)).includes('database'))
})

test('PostgreSQL: how far one process is another tells, too, and that it was killed', {
  skip: withoutPostgres,
}, async () => {
  await using place = await restorablePostgres()
  const { config, env } = await shopAt(place, network)
  await using web = await webProcess(env)
  const folder = await emptyFolder(config.DATA_DIR)
  // The file comes as it is written: the restore stands in the middle of its transaction, all tables locked.
  execFileSync('mkfifo', [uploadedFile(folder)])
  const tab = 'a'.repeat(32)
  const restoring = new RestoreProcess({
    ...{ what: 'restore', config, passphrase: PASSPHRASE, owner: null, tab: tabOf(tab) },
  })
  try {
    const file = await open(uploadedFile(folder), 'w')
    const written = file.writeFile(whole.subarray(0, -1_000)).catch(() => undefined)
    let told = await stateOf(folder)
    for (let tries = 0; tries < 100 && !told?.progress?.bytes; tries++) {
      await sleep(100)
      told = await stateOf(folder)
    }
    const seen = await web.restore('b'.repeat(32))
    assert.equal(seen.progress?.step, 'restoring')
    assert.ok((seen.progress?.bytes ?? 0) > 0, JSON.stringify(seen))
    await restoring.kill()
    await written
    await file.close()
    const after = await web.restore(tab)
    assert.deepEqual([after.progress, after.outcome?.ok], [null, false])
    assert.match(after.outcome?.words.join() ?? '', /ended in the middle/)
  } finally {
    await restoring.kill()
  }
})
