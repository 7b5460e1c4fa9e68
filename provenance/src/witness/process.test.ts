import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MAX_REQUEST } from '../log/add-checkpoint.ts'
import { openCheckpoint } from '../log/signed-checkpoint.ts'
import { TestLog } from '../testing/log.ts'
import { startWitness } from '../testing/witness-process.ts'

/** `KILLS=200 npm test -- provenance/src/witness/process` for more. */
const KILLS = Number(process.env.KILLS ?? 8)

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-witness-'))
  folders.push(folder)
  return join(folder, 'witness')
}

/** A checkpoint that was signed by this witness: its size and root. */
async function opened(note: string, log: TestLog, keys: Parameters<typeof openCheckpoint>[2]) {
  const { checkpoint, cosignatures } = await openCheckpoint(note, [log.signer.key], keys)
  assert.equal(cosignatures.length, 2)
  return checkpoint
}

test('a witness makes its keys, signs what it is sent, and goes on where it ended', async () => {
  const folder = await newFolder()
  const log = new TestLog().append('a', 'b')
  const first = await startWitness({ folder, log: log.signer.key })
  assert.equal((await stat(join(folder, 'witness.key'))).mode & 0o777, 0o600)
  assert.equal((await stat(join(folder, 'newest.json'))).mode & 0o777, 0o600)
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal(await first.monitor(), undefined)
  assert.equal((await first.add(await log.request(0, 1))).status, 200)
  const about = await fetch(first.url)
  assert.equal(about.headers.get('access-control-allow-origin'), '*')
  assert.match(await about.text(), /^size 1$/m)
  await assert.rejects(startWitness({ folder, log: log.signer.key }), /in use by another witness/)
  assert.equal(await first.stop(), 0)

  await assert.rejects(
    startWitness({ folder, log: log.signer.key, name: 'other.example/witness' }),
    /keys are of the witness market\.example\/witness/,
  )
  await using second = await startWitness({ folder, log: log.signer.key })
  assert.deepEqual(second.keys, first.keys)
  assert.equal((await opened((await second.monitor()) ?? '', log, first.keys)).size, 1)
  assert.equal((await second.add(await log.request(1))).status, 200)
})

test('what is not asked as it should be is refused, and holds nobody up', async () => {
  const log = new TestLog().append('a')
  await using witness = await startWitness({ folder: await newFolder(), log: log.signer.key })
  const status = async (path: string, init: RequestInit = {}) =>
    (await fetch(witness.url + path, init)).status
  assert.equal(await status('/add-checkpoint'), 405)
  assert.equal(await status('/', { method: 'POST', body: 'x' }), 405)
  assert.equal(await status('/else'), 404)
  assert.equal(await status('/readyz'), 200)
  assert.equal(await status('/add-checkpoint', { method: 'POST', body: Buffer.of(0xff, 0xfe) }), 400)
  const long = await witness.add('x'.repeat(MAX_REQUEST + 1)).catch(() => ({ status: 413 }))
  assert.equal(long.status, 413)
  const { port } = new URL(witness.url)
  const silent = connect(Number(port), '127.0.0.1')
  silent.write('POST /add-checkpoint HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nold')
  assert.equal((await witness.add(await log.request(0))).status, 200)
  silent.destroy()
})

test('it follows a log by itself, by its tiles, and says when that goes back', async () => {
  const log = new TestLog().append(...Array.from({ length: 300 }, (_, i) => `entry ${i}`))
  await using served = await log.serve()
  const folder = await newFolder()
  await using witness = await startWitness({ folder, log: log.signer.key, logUrl: served.url })
  await witness.until(/signed 300 entries/)
  log.append(...Array.from({ length: 470 }, (_, i) => `entry ${300 + i}`))
  await witness.until(/signed 770 entries/)
  const { size, root } = await opened((await witness.monitor()) ?? '', log, witness.keys)
  assert.deepEqual([size, root], [770, await log.root()])
  await witness.kill()
  const shorter = log.fork(500)
  await using other = await shorter.serve()
  await using again = await startWitness({ folder, log: log.signer.key, logUrl: other.url })
  await again.until(/shows 500 entries, and it had 770/)
  shorter.append(...Array.from({ length: 400 }, (_, i) => `other ${i}`))
  await again.until(/not signed: The proof does not hold/)
  assert.deepEqual((await opened((await again.monitor()) ?? '', log, again.keys)).size, 770)
})

test('a folder that was put back signs nothing, whichever way it was, until its operator says that it may', async () => {
  const folder = await newFolder()
  const copy = await newFolder()
  const log = new TestLog().append('a', 'b', 'c', 'd')
  const other = log.fork(1).append('x', 'y', 'z')
  const first = await startWitness({ folder, log: log.signer.key })
  assert.equal((await first.add(await log.request(0, 1))).status, 200)
  await first.kill()
  await cp(folder, copy, { recursive: true, preserveTimestamps: true })
  const newer = await startWitness({ folder, log: log.signer.key })
  assert.equal((await newer.add(await log.request(1, 3))).status, 200)
  await newer.kill()

  const refuses = async (why: RegExp): Promise<void> => {
    await using held = await startWitness({ folder, log: log.signer.key })
    for (const request of [await other.request(1, 3), await log.request(1, 3), await other.request(0)])
      assert.equal((await held.add(request)).status, 503)
    assert.equal(await held.monitor(), undefined)
    const ready = await fetch(`${held.url}/readyz`)
    assert.equal(ready.status, 503)
    assert.match(await ready.text(), why)
  }
  // Over the newer file, which keeps its place on the disk
  await cp(join(copy, 'newest.json'), join(folder, 'newest.json'))
  await refuses(/is a copy/)
  await refuses(/is a copy/)
  await rm(folder, { recursive: true })
  await cp(copy, folder, { recursive: true, preserveTimestamps: true })
  await refuses(/is a copy/)
  await rm(join(folder, 'newest.json'))
  await refuses(/is missing/)

  await cp(join(copy, 'newest.json'), join(folder, 'newest.json'))
  await using moved = await startWitness({ folder, log: log.signer.key, args: ['--folder-is-newest'] })
  assert.equal((await opened((await moved.monitor()) ?? '', log, moved.keys)).size, 1)
  await moved.kill()
  await using again = await startWitness({ folder, log: log.signer.key })
  assert.equal((await again.add(await log.request(1, 3))).status, 200, 'it is its own folder from then on')
})

test('settings that can’t be used are named', async () => {
  const log = new TestLog()
  const folder = await newFolder()
  const start = (other: object) => startWitness({ folder, log: log.signer.key, ...other })
  await assert.rejects(start({ name: 'a b' }), /WITNESS_NAME/)
  await assert.rejects(start({ logUrl: 'ftp://x' }), /WITNESS_LOG_URL/)
  await assert.rejects(start({ port: 70_000 }), /WITNESS_PORT/)
  await assert.rejects(start({ shopUrl: 'http://127.0.0.1:9' }), /auditing witness needs WITNESS_LOG_URL/)
  await assert.rejects(start({ shopUrl: 'ftp://x' }), /WITNESS_SHOP_URL/)
  await assert.rejects(start({ args: ['--else'] }), /Usage/)
  await assert.rejects(readFile(join(folder, 'witness.key')), /ENOENT/)
})

test(`${KILLS} kills while two histories with one key are sent: one of them is signed, and never the other`, async (t) => {
  const folder = await newFolder()
  const real = new TestLog().append('begin')
  const histories = [real, new TestLog(real.signer).append('begin')]
  /** What was signed: of each size the root. */
  const signed = new Map<number, Set<string>>()
  const rootOf = async (log: TestLog, size: number) => Buffer.from(await log.root(size)).toString('hex')
  const grow = (n: number): void => {
    for (const [i, log] of histories.entries()) log.append(`${i === 0 ? 'real' : 'other'} ${n}`)
  }
  let answered = 0
  for (let round = 0; round < KILLS; round++) {
    const witness = await startWitness({ folder, log: real.signer.key })
    const after = answered + 1 + (round % 3)
    let isAlive = true
    const send = async (log: TestLog): Promise<void> => {
      let old = 0
      while (isAlive) {
        const size = log.size
        const reply = await witness.add(await log.request(Math.min(old, size), size)).catch(() => undefined)
        if (reply?.status === 409) old = Number(reply.text)
        if (reply?.status !== 200) continue
        await opened((await log.note(size)) + reply.text, log, witness.keys)
        signed.set(size, (signed.get(size) ?? new Set()).add(await rootOf(log, size)))
        answered += 1
        grow(answered)
        if (answered >= after && isAlive) {
          // not in a row with the last answer: another request is on its way
          isAlive = false
          setTimeout(() => void witness.kill(), Math.random() * 15)
        }
      }
    }
    await Promise.all(histories.map(send))
    await witness.kill()
  }
  t.diagnostic(`${answered} answers, ${signed.size} sizes`)
  assert.ok(answered >= KILLS)
  const of = histories.map((log) => async (size: number) => rootOf(log, size))
  const chosen = new Set<number>()
  for (const [size, roots] of signed) {
    assert.equal(roots.size, 1, `one root of ${size}`)
    if (size === 1) continue
    for (const [i, root] of of.entries()) if (roots.has(await root(size))) chosen.add(i)
  }
  assert.ok(chosen.size <= 1, 'one history')
})
