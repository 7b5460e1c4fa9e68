import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { textOf } from '../digest.ts'
import { mirrorPath } from '../log/add-checkpoint.ts'
import { buildEntry, readBuilds } from '../log/builds.ts'
import { verifierKeyText } from '../log/note.ts'
import { readLog } from '../log/read-log.ts'
import { openCheckpoint } from '../log/signed-checkpoint.ts'
import { newSigner, ORIGIN, TestLog } from '../testing/log.ts'
import { startWitness } from '../testing/witness-process.ts'
import { readSettings } from './settings.ts'

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-mirror-'))
  folders.push(folder)
  return join(folder, 'witness')
}

const BUILDS_ORIGIN = `${ORIGIN}-builds`
const build = (digit: string): string =>
  textOf(buildEntry({ kind: 'build', hash: digit.repeat(64), version: '1' }))
const mirror = 'market.example/mirror'

test('copies of both logs are served to any origin as the logs themselves are, with other keys, and outlive them', async () => {
  const anchors = new TestLog().append(...Array.from({ length: 300 }, (_, i) => `entry ${i}`))
  const builds = new TestLog(newSigner(BUILDS_ORIGIN)).append(build('a'), build('b'))
  const settings = {
    folder: await newFolder(),
    log: anchors.signer.key,
    builds: builds.signer.key,
    mirror,
    logUrl: '',
    buildsUrl: '',
  }
  {
    await using both = await anchors.serve()
    await using other = await builds.serve()
    await using witness = await startWitness({ ...settings, logUrl: both.url, buildsUrl: other.url })
    await witness.until(/copy of \S+log: signed 300 entries/)
    await witness.until(/copy of \S+-builds: signed 2 entries/)
    const sent = await witness.add(await anchors.append('entry 300').request(300))
    assert.equal(sent.status, 200)
    const own = await openCheckpoint(
      (await anchors.note()) + sent.text,
      [anchors.signer.key],
      witness.mirrorKeys,
    )
    assert.deepEqual(own.cosignatures, [], 'a mirror never answers a log')
    await witness.until(/copy of \S+log: signed 301 entries/)
  }

  // Their shop is gone
  await using witness = await startWitness({
    ...settings,
    logUrl: 'http://127.0.0.1:9',
    buildsUrl: 'http://127.0.0.1:9',
  })
  await witness.until(/not copied|signed 301/)
  const about = await (await fetch(witness.url)).text()
  assert.match(about, /^mirror-key market\.example\/mirror\+/m)
  assert.match(
    about,
    new RegExp(`^mirror ${mirrorPath(ORIGIN)} of ${ORIGIN}\nmirror-size 301\nmirror-state copying$`, 'm'),
  )
  assert.equal((await fetch(`${witness.url}/readyz`)).status, 200)
  const never = new AbortController().signal
  for (const log of [anchors, builds]) {
    const address = witness.url + mirrorPath(log.signer.key.name)
    const shown = await readLog(log.signer.key, address, never)
    assert.ok(shown)
    const { checkpoint, cosignatures } = await openCheckpoint(
      shown.note,
      [log.signer.key],
      [...witness.keys, ...witness.mirrorKeys],
    )
    assert.deepEqual([checkpoint.size, cosignatures.map(({ key }) => key.name)], [log.size, [mirror, mirror]])
    const tile = await fetch(`${address}/tile/entries/000${log.size < 256 ? `.p/${log.size}` : ''}`)
    assert.deepEqual(
      ['access-control-allow-origin', 'content-type', 'cache-control'].map((name) => tile.headers.get(name)),
      ['*', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    )
    for (const path of ['', 'tile/0/002', 'tile/entries/000.p/0', 'key'])
      assert.equal((await fetch(`${address}/${path}`)).status, 404, path)
  }
  const shown = await readLog(builds.signer.key, witness.url + mirrorPath(BUILDS_ORIGIN), never)
  assert.ok(shown)
  assert.equal((await readBuilds(shown.opened, shown)).length, 2)
  assert.equal((await fetch(`${witness.url}${mirrorPath('other.example/log')}/checkpoint`)).status, 404)
})

test('a log that shows what it did not sign is named in the output, at / and at /readyz', async () => {
  const log = new TestLog().append('a', 'b', 'c')
  const lying = log.fork(2).append('x')
  const folder = await newFolder()
  await using served = await log.serve(() => lying)
  await using witness = await startWitness({ folder, log: log.signer.key, logUrl: served.url, mirror })
  assert.equal((await witness.add(await log.request(0))).status, 200)
  await witness.until(/copy of \S+: not copied: entries from 0 on are not copied/)
  const ready = await fetch(`${witness.url}/readyz`)
  assert.deepEqual([ready.status, /^copy of .*entries from 0 on/.test(await ready.text())], [503, true])
  assert.match(await (await fetch(witness.url)).text(), /^mirror-state not copying: entries from 0 on/m)
  assert.ok(await witness.monitor(), 'its witness signs on')
  assert.equal(await witness.copy(), undefined)
})

test('the name of a mirror, its keys and its folder are its own', async () => {
  const key = verifierKeyText(newSigner(ORIGIN).key)
  const env = { WITNESS_LOG: key, WITNESS_NAME: 'market.example/w', WITNESS_KIND: 'general' }
  const of = (more: Record<string, string>) => readSettings({ ...env, ...more })
  const address = { WITNESS_LOG_URL: `https://${ORIGIN}` }
  assert.equal(of({}).mirror, undefined)
  assert.equal(of({ ...address, WITNESS_MIRROR: mirror }).mirror, mirror)
  assert.throws(() => of({ ...address, WITNESS_MIRROR: 'a b' }), /WITNESS_MIRROR/)
  assert.throws(() => of({ ...address, WITNESS_MIRROR: env.WITNESS_NAME }), /must be another name/)
  assert.throws(() => of({ WITNESS_MIRROR: mirror }), /WITNESS_MIRROR needs WITNESS_LOG_URL/)
  const builds = { WITNESS_BUILDS: verifierKeyText(newSigner(BUILDS_ORIGIN).key) }
  const odd = { WITNESS_LOG_URL: 'https://fish.example/log', WITNESS_MIRROR: mirror }
  assert.throws(() => of({ ...builds, ...odd }), /and WITNESS_BUILDS_URL/)

  const log = new TestLog().append('a')
  const folder = await newFolder()
  await using served = await log.serve()
  const settings = { folder, log: log.signer.key, logUrl: served.url, mirror }
  const first = await startWitness(settings)
  await first.until(/copy of \S+: signed 1 entries/)
  await first.kill()
  await assert.rejects(
    startWitness({ ...settings, mirror: 'other.example/mirror' }),
    /another name needs another folder/,
  )
  await cp(join(folder, 'witness.key'), join(folder, 'mirror', 'witness.key'))
  await assert.rejects(startWitness(settings), /These keys are of the witness market\.example\/witness/)
})
