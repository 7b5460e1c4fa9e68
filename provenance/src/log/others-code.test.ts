import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { textOf } from '../digest.ts'
import { newSigner, ORIGIN, TestLog } from '../testing/log.ts'
import { ed25519Of, startWitness } from '../testing/witness-process.ts'
import { mirrorPath } from './add-checkpoint.ts'
import { buildEntry } from './builds.ts'
import { verifierKeyText } from './note.ts'

const source = fileURLToPath(new URL('../../vectors/read_log.go', import.meta.url))
const PACKAGES = '/usr/share/gocode'
const isThere =
  existsSync(join(PACKAGES, 'src/golang.org/x/mod/sumdb/tlog')) && spawnSync('go', ['version']).status === 0

/** The program that reads logs by Go's own code. */
async function built(
  folder: string,
): Promise<(...args: string[]) => Promise<{ out: string; status: number }>> {
  const program = join(folder, 'read_log')
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: PACKAGES, GOCACHE: join(folder, 'cache') }
  const run = promisify(execFile)
  await run('go', ['build', '-o', program, source], { env })
  return async (...args) => {
    try {
      const { stdout } = await run(program, args)
      return { out: stdout, status: 0 }
    } catch (error) {
      const { stderr = '', code = 2 } = error as { stderr?: string; code?: number }
      return { out: stderr, status: code }
    }
  }
}

test('Go’s code for such logs takes both logs of a shop and the copies of a mirror, and no changed one', {
  skip: isThere ? false : 'there is no Go with golang.org/x/mod here',
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-others-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const read = await built(folder)
  const anchors = new TestLog()
  for (let i = 0; i < 700; i++)
    anchors.append(
      `{"boxes":1,"index":${i},"records":1,"root":"${'a'.repeat(64)}","time":"2026-11-24T01:02:03Z"}`,
    )
  const builds = new TestLog(newSigner(`${ORIGIN}-builds`)).append(
    ...(['build', 'checker', 'build'] as const).map((kind, i) =>
      textOf(buildEntry({ kind, hash: `${i}`.repeat(64), version: '1' })),
    ),
  )
  await using both = await anchors.serve()
  await using other = await builds.serve()
  await using witness = await startWitness({
    folder: join(folder, 'witness'),
    log: anchors.signer.key,
    logUrl: both.url,
    builds: builds.signer.key,
    buildsUrl: other.url,
    mirror: 'market.example/mirror',
  })
  await witness.until(/copy of \S+log: signed 700 entries/)
  await witness.until(/copy of \S+-builds: signed 3 entries/)
  const mirror = verifierKeyText(ed25519Of({ keys: witness.mirrorKeys }))
  for (const [log, url, size] of [
    [anchors, both.url, 700],
    [builds, other.url, 3],
  ] as const) {
    const key = verifierKeyText(log.signer.key)
    const own = await read(url, key)
    assert.deepEqual([own.status, own.out.includes(`${size} entries`)], [0, true], own.out)
    const copy = await read(witness.url + mirrorPath(log.signer.key.name), key, mirror)
    assert.equal(copy.status, 0, copy.out)
    assert.match(copy.out, /signed by 2 of the named keys, 1 signatures of others passed over/)
    t.diagnostic(copy.out.trim())
    const wanted = await read(url, key, mirror)
    assert.deepEqual([wanted.status, /has not signed/.test(wanted.out)], [1, true])
    const stranger = verifierKeyText(newSigner(log.signer.key.name).key)
    assert.equal((await read(url, stranger)).status, 1)
  }

  const lying = anchors.fork(699).append('other')
  const signed = await anchors.note()
  lying.note = async () => signed
  await using served = await lying.serve()
  const changed = await read(served.url, verifierKeyText(anchors.signer.key))
  assert.equal(changed.status, 1, changed.out)
})
