import assert from 'node:assert/strict'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { textOf, utf8 } from '../digest.ts'
import type { VerifierKey } from '../log/note.ts'
import { openCheckpoint } from '../log/signed-checkpoint.ts'
import { logTiles } from '../log/tiles.ts'
import { TestLog } from '../testing/log.ts'
import { startWitness, type WitnessProcess } from '../testing/witness-process.ts'

/** `KILLS=1000 npm test -- provenance/src/witness/mirror-kill` for every step, some ten times each. */
const KILLS = Number(process.env.KILLS ?? 10)
/** More than a start, some answers and a copy have; rounds in a row are a golden section of it apart, so few kills are spread too. */
const STEPS = 144
const APART = 89

const root = await mkdtemp(join(tmpdir(), 'befaqt-mirror-kill-'))
after(() => rm(root, { recursive: true, force: true }))
const [folder, backup, aside] = ['witness', 'backup', 'aside'].map((name) => join(root, name)) as [
  string,
  string,
  string,
]

/** The history that is signed first, and another one by the same key. */
const real = new TestLog().append('begin')
const other = new TestLog(real.signer).append('begin')
/** What the log shows, and sends beside these two: in some rounds what a shop signs that was put back. */
let shown: TestLog = real
/** What goes on from just before the newest state that was answered: signed by a witness only that forgot it. */
const rival = (): TestLog => real.fork(newest - 1).append(`rival ${answers}`, 'and more')
const log = real.signer.key

/** All that was ever signed: by its signer and size the roots. */
const signed = new Map<string, Set<string>>()
let answers = 0
/** Size of the newest state that was answered. */
let newest = 1
let largestCopy = 0

/** Takes down what a note is signed with. Answers its size. */
async function takeDown(note: string, keys: readonly VerifierKey[]): Promise<number> {
  const { checkpoint, cosignatures } = await openCheckpoint(note, [log], keys)
  const names = new Set(cosignatures.map(({ key }) => key.name))
  assert.equal(names.size, 1, 'a witness and its mirror never sign one note')
  const of = `${checkpoint.size} ${[...names]}`
  signed.set(of, (signed.get(of) ?? new Set()).add(Buffer.from(checkpoint.root).toString('hex')))
  return checkpoint.size
}

const keysOf = ({ keys, mirrorKeys }: WitnessProcess): VerifierKey[] => [...keys, ...mirrorKeys]

/** Sends a history as far as it is taken, until the witness is gone. */
async function send(witness: WitnessProcess, of: () => TestLog, isOver: () => boolean): Promise<void> {
  let old = 0
  while (!isOver()) {
    const history = of()
    const { size } = history
    const request = await history.request(Math.min(old, size), size)
    const reply = await witness.add(request).catch(() => undefined)
    if (reply?.status === 409) old = Number(reply.text)
    if (reply?.status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
    if (reply?.status !== 200) continue
    await takeDown((await history.note(size)) + reply.text, keysOf(witness))
    answers += 1
    newest = Math.max(newest, size)
    real.append(`real ${answers}`)
    other.append(`other ${answers}`)
  }
}

/** Looks at what witness and mirror show, until both are gone. */
async function look(witness: WitnessProcess, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const notes = await Promise.all([
      witness.monitor().catch(() => undefined),
      witness.copy().catch(() => undefined),
    ])
    const [seen, copied] = notes.map((note) => (typeof note === 'object' ? textOf(note) : note))
    if (seen !== undefined) await takeDown(seen, keysOf(witness))
    if (copied === undefined) continue
    const size = await takeDown(copied, keysOf(witness))
    assert.ok(size >= largestCopy, 'a copy never goes back')
    largestCopy = size
    // What it has signed is there, in the very process that may be gone at any moment
    const [last] = await entriesOf(witness, size, size - 1).catch(() => [undefined])
    if (last !== undefined) assert.match(last, /^(?:begin|real \d+)$/)
  }
}

/** Entries of a copy from one on, as its tiles have them. */
async function entriesOf(witness: WitnessProcess, size: number, from: number): Promise<string[]> {
  const { entries } = logTiles(size, (path) => witness.copy(path))
  const read: Uint8Array[] = []
  while (from + read.length < size) read.push(...(await entries(from + read.length)))
  return read.map(textOf)
}

/** One start and its end, at a step of its own, while these histories are sent. */
async function round(url: string, killAt: number, sent: readonly (() => TestLog)[]): Promise<void> {
  const settings = { folder, log, logUrl: url, mirror: 'market.example/mirror', killAt }
  const witness = await startWitness(settings).catch((error: Error) => {
    assert.doesNotMatch(error.message, /Error|in use|is not what|can’t be read|another log/)
  })
  if (witness === undefined) return
  let isGone = false
  const isOver = () => isGone
  void witness.ended.then(() => {
    isGone = true
  })
  await Promise.all([...sent.map((of) => send(witness, of, isOver)), look(witness, isOver)])
}

/** A folder as it was some rounds ago: nothing is signed with it, whoever asks. */
async function withBackup(url: string): Promise<void> {
  await rename(folder, aside)
  await cp(backup, folder, { recursive: true, preserveTimestamps: true })
  {
    await using witness = await startWitness({ folder, log, logUrl: url, mirror: 'market.example/mirror' })
    for (const history of [real, other, shown]) {
      for (const old of [0, 1, Math.min(largestCopy, history.size)])
        assert.equal((await witness.add(await history.request(old))).status, 503)
    }
    assert.deepEqual([await witness.monitor(), await witness.copy()], [undefined, undefined])
  }
  await rm(folder, { recursive: true })
  await rename(aside, folder)
}

test(`${KILLS} kills of a witness and its mirror, at each step of what they do, with backups put back: one history is signed`, async (t) => {
  await using served = await real.serve(() => shown)
  const startedAt = Date.now()
  await round(served.url, 2 * STEPS, [() => real])
  await cp(folder, backup, { recursive: true, preserveTimestamps: true })
  for (let i = 1; i < KILLS; i++) {
    // The shop's own history, the other one, and one that goes on otherwise from before what was signed
    const short = real
      .fork(Math.ceil(newest / 2))
      .append(...Array.from({ length: i % 3 }, (_, n) => `restored ${i} ${n}`))
    shown = [real, real, other, short][i % 4] ?? real
    if (i % 10 === 5) await withBackup(served.url)
    if (i % 10 === 7) {
      // The copy alone is put back: it is made whole again, or waits
      await rm(join(folder, 'mirror'), { recursive: true })
      await cp(join(backup, 'mirror'), join(folder, 'mirror'), { recursive: true })
      largestCopy = 0
    }
    await round(served.url, 1 + ((i * APART) % STEPS), [rival, () => real, () => shown])
    if (i % 10 === 8) {
      await rm(backup, { recursive: true })
      await cp(folder, backup, { recursive: true, preserveTimestamps: true })
    }
  }
  shown = real
  for (const [of, roots] of signed) {
    const [size] = of.split(' ')
    assert.deepEqual([...roots], [Buffer.from(await real.root(Number(size))).toString('hex')], of)
  }
  await using witness = await startWitness({
    folder,
    log,
    logUrl: served.url,
    mirror: 'market.example/mirror',
  })
  await witness.until(new RegExp(`copy of \\S+ signed ${real.size} entries`))
  assert.equal(await takeDown(textOf((await witness.copy()) ?? utf8('')), keysOf(witness)), real.size)
  const entries = await entriesOf(witness, real.size, 0)
  assert.deepEqual(entries, await entriesIn(real))
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const copies = [...signed.keys()].filter((of) => of.endsWith('/mirror')).length
  t.diagnostic(
    `${KILLS} kills in ${seconds} s: ${answers} answers, ${signed.size - copies} states witnessed, ${copies} copied`,
  )
})

async function entriesIn(history: TestLog): Promise<string[]> {
  const { entries } = logTiles(history.size, async (path) => {
    const found = await history.answer(path)
    return typeof found === 'string' ? utf8(found) : found
  })
  const read: Uint8Array[] = []
  while (read.length < history.size) read.push(...(await entries(read.length)))
  return read.map(textOf)
}
