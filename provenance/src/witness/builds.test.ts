import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildEntry } from '../log/builds.ts'
import { verifierKeyText } from '../log/note.ts'
import { openCheckpoint } from '../log/signed-checkpoint.ts'
import { newSigner, ORIGIN, TestLog } from '../testing/log.ts'
import { startWitness } from '../testing/witness-process.ts'
import { readSettings } from './settings.ts'

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-witness-'))
  folders.push(folder)
  return join(folder, 'witness')
}

const BUILDS_ORIGIN = `${ORIGIN}-builds`
const entry = (digit: string, kind: 'build' | 'checker' = 'build'): string =>
  Buffer.from(buildEntry({ kind, hash: digit.repeat(64), version: '1' })).toString()
const newLog = (): TestLog => new TestLog(newSigner(BUILDS_ORIGIN)).append(entry('a'), entry('a', 'checker'))
/** No shop is there: anchors are not what this is about. */
const NOWHERE = 'http://127.0.0.1:9'

test('an auditing witness signs the log of builds beside that of anchors, once it has read every entry', async () => {
  const [anchors, builds] = [new TestLog(), newLog()]
  await using served = await builds.serve()
  const settings = {
    folder: await newFolder(),
    log: anchors.signer.key,
    logUrl: NOWHERE,
    shopUrl: NOWHERE,
    builds: builds.signer.key,
    buildsUrl: served.url,
  }
  const first = await startWitness(settings)
  await first.until(/builds: signed 2 entries/)
  builds.append(entry('b'))
  const early = await first.add(await builds.request(2))
  assert.ok([503, 409, 200].includes(early.status), `${early.status}`)
  await first.until(/builds: signed 3 entries/)
  const shown = await openCheckpoint(
    (await first.monitor(BUILDS_ORIGIN)) ?? '',
    [builds.signer.key],
    first.keys,
  )
  assert.deepEqual([shown.checkpoint.size, shown.cosignatures.length], [3, 2])
  assert.equal(await first.monitor(), undefined, 'of anchors it has seen nothing')
  assert.match(await (await fetch(first.url)).text(), /^builds-size 3\nbuilds-state signing$/m)
  assert.equal(
    (await first.add(await new TestLog(newSigner('x.example/log')).append('a').request(0))).status,
    404,
  )

  const fork = builds.fork(2).append(entry('c'), entry('d'))
  assert.equal((await first.add(await fork.request(3))).status, 422)
  builds.append('{"build":"ab","version":"1"}')
  await first.until(/the log of builds holds what is none: \$\[3\]\.build/)
  assert.equal((await first.add(await builds.request(3))).status, 422)
  assert.equal(
    (await openCheckpoint((await first.monitor(BUILDS_ORIGIN)) ?? '', [builds.signer.key], [])).checkpoint
      .size,
    3,
  )
  await first.kill()

  // A state that went missing: what was signed is not known any more
  await rm(join(settings.folder, 'builds', 'newest.json'))
  await using again = await startWitness(settings)
  assert.equal((await again.add(await fork.request(0))).status, 503)
  assert.match(await (await fetch(`${again.url}/readyz`)).text(), /newest\.json is missing/)
})

test('a general witness compares states of both logs, and reads neither', async () => {
  const [anchors, builds] = [new TestLog().append('a'), newLog().append('no build')]
  const folder = await newFolder()
  await using witness = await startWitness({ folder, log: anchors.signer.key, builds: builds.signer.key })
  assert.equal((await witness.add(await builds.request(0))).status, 200)
  assert.equal((await witness.add(await anchors.request(0))).status, 200)
  assert.equal((await witness.add(await builds.fork(1).append('x', 'y').request(3))).status, 422)
  for (const log of [anchors, builds]) {
    const note = (await witness.monitor(log.signer.key.name)) ?? ''
    assert.equal((await openCheckpoint(note, [log.signer.key], witness.keys)).cosignatures.length, 2)
  }
})

test('wrong settings are named', () => {
  const anchors = verifierKeyText(newSigner(ORIGIN).key)
  const builds = verifierKeyText(newSigner(BUILDS_ORIGIN).key)
  const env = { WITNESS_LOG: anchors, WITNESS_NAME: 'market.example/w', WITNESS_LOG_URL: `https://${ORIGIN}` }
  const of = (more: Record<string, string>) => readSettings({ ...env, ...more })
  assert.equal(of({}).builds, undefined)
  assert.equal(of({ WITNESS_BUILDS: builds }).builds?.logUrl, `https://${BUILDS_ORIGIN}`)
  const anew = of({ WITNESS_BUILDS: builds, WITNESS_LOG_URL: `https://${ORIGIN}/2` })
  assert.deepEqual([anew.builds?.logUrl, anew.shopUrl], [`https://${BUILDS_ORIGIN}`, 'https://fish.example'])
  assert.throws(() => of({ WITNESS_BUILDS: anchors }), /WITNESS_BUILDS is the log of WITNESS_LOG/)
  assert.throws(() => of({ WITNESS_BUILDS: 'x' }), /WITNESS_BUILDS/)
  assert.throws(
    () =>
      of({
        WITNESS_BUILDS: builds,
        WITNESS_LOG_URL: 'https://fish.example/log',
        WITNESS_SHOP_URL: 'https://fish.example',
      }),
    /needs WITNESS_BUILDS_URL/,
  )
})
