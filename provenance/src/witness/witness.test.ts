import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addRequestText, parseAddRequest, SIZE_TYPE } from '../log/add-checkpoint.ts'
import { keyTypes, MAX_NOTE } from '../log/note.ts'
import { openCheckpoint } from '../log/signed-checkpoint.ts'
import { newSigner, TestLog } from '../testing/log.ts'
import { type Memory, Witness } from './witness.ts'

const NAME = 'market.example/witness'
const NOW_S = 1_795_223_400

/** A disk, of which a test sees what was written, and on which writing may fail before or after it is done. */
class Disk {
  note: string | null = null
  moved: string | undefined
  fails: 'before' | 'after' | undefined
  readonly written: string[] = []

  memory(): Memory {
    const { note, moved } = this
    return { note, moved, write: (text) => this.#write(text) }
  }

  async #write(text: string | null): Promise<void> {
    await pause(5) // others come meanwhile
    if (this.fails === 'before') throw new Error('the disk is full')
    this.note = text
    if (text !== null) this.written.push(text)
    if (this.fails === 'after') throw new Error('killed')
  }
}

function market(log: TestLog, disk = new Disk()) {
  const signers = [newSigner(NAME, keyTypes.ed25519Cosigner), newSigner(NAME, keyTypes.mlDsa44Cosigner)]
  const told: string[] = []
  const tell = (words: string) => told.push(words)
  const keys = signers.map(({ key }) => key)
  return {
    disk,
    told,
    keys,
    begin: () =>
      Witness.begin({ log: log.signer.key, signers, memory: disk.memory(), nowS: () => NOW_S, tell }),
    signedBy: async (note: string) =>
      (await openCheckpoint(note, [log.signer.key], keys)).cosignatures.map(({ key, timeS }) => [
        key.type,
        timeS,
      ]),
  }
}

const BOTH = [
  [keyTypes.ed25519Cosigner, NOW_S],
  [keyTypes.mlDsa44Cosigner, NOW_S],
]

test('a checkpoint that continues the one before is kept, then signed by both keys, and shown', async () => {
  const log = new TestLog().append('a', 'b', 'c')
  const { begin, disk, signedBy } = market(log)
  const witness = await begin()
  assert.equal(witness.newest, undefined)
  for (const [old, size] of [
    [0, 1],
    [1, 1],
    [1, 3],
    [3, 3],
  ] as const) {
    const { status, body } = await witness.add(await log.request(old, size))
    assert.equal(status, 200, body)
    assert.deepEqual(await signedBy((await log.note(size)) + body), BOTH)
    assert.deepEqual(await signedBy(witness.newest ?? ''), BOTH)
    assert.equal(disk.note, await log.note(size))
  }
  assert.equal(disk.written.length, 2, 'once for each size')
  const again = await begin()
  assert.deepEqual([again.size, await signedBy(again.newest ?? '')], [3, BOTH])
})

test('what is not to be signed is answered with the status that the standard names, and changes nothing', async () => {
  const log = new TestLog().append('a', 'b', 'c', 'd')
  const { begin, disk, told } = market(log)
  const witness = await begin()
  assert.equal((await witness.add(await log.request(0, 3))).status, 200)
  const other = log.fork(2).append('x', 'y', 'z')
  const stranger = new TestLog(newSigner(log.signer.key.name)).append('a', 'b', 'c', 'd')
  const elsewhere = new TestLog(newSigner('other.example/log')).append('a')
  const bad: [string, string, number, string?][] = [
    ['another log', await elsewhere.request(0), 404],
    ['another key of that name', await stranger.request(3), 403],
    ['old above size', await log.request(4, 3), 400],
    ['one that is behind', await log.request(0, 4), 409, '3\n'],
  ]
  for (const [what, request, status, body] of bad) {
    const reply = await witness.add(request)
    assert.equal(reply.status, status, what)
    if (body !== undefined) assert.deepEqual([reply.type, reply.body], [SIZE_TYPE, body])
  }
  const forked = await witness.add(await other.request(3, 5))
  assert.equal(forked.status, 422, 'another history')
  const same = await witness.add(await other.fork(3).request(3))
  assert.equal(same.status, 422, 'two roots of one size')
  assert.ok(told.some((words) => words.includes('signed two roots of 3 entries')))
  const empty = addRequestText({ ...parseAddRequest(await log.request(3)), proof: [] })
  assert.equal((await witness.add(empty)).status, 422, 'no proof')
  assert.deepEqual([witness.size, disk.written.length], [3, 1])
  for (const text of [
    '',
    'old 4',
    'old 4\n\n',
    'old 04\n\nx',
    'new 4\n\nx',
    `old 4\n\n${'x'.repeat(MAX_NOTE + 1)}`,
  ])
    assert.equal((await witness.add(text)).status, 400, text.slice(0, 20))
})

test('no bit of a request can be changed', async () => {
  const log = new TestLog().append('a', 'b', 'c', 'd', 'e')
  const { begin, disk } = market(log)
  const witness = await begin()
  await witness.add(await log.request(0, 3))
  const request = Buffer.from(await log.request(3))
  for (let bit = 0; bit < request.length * 8; bit++) {
    const bytes = Buffer.from(request)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const text = bytes.toString()
    if (text.includes('\ufffd')) continue
    const { status } = await witness.add(text)
    assert.notEqual(status, 200, `bit ${bit & 7} of byte ${bit >> 3}`)
  }
  assert.deepEqual([witness.size, disk.written.length], [3, 1])
  assert.equal((await witness.add(request.toString())).status, 200)
})

test('where it can’t be kept it is not signed, and of two histories one is signed, wherever the witness is killed', async () => {
  for (const fails of ['before', 'after'] as const) {
    const log = new TestLog().append('a', 'b', 'c')
    const other = log.fork(1).append('x', 'y')
    const { begin, disk, signedBy } = market(log)
    const first = await begin()
    await first.add(await log.request(0, 1))
    disk.fails = fails
    await assert.rejects(first.add(await log.request(1)))
    disk.fails = undefined
    const next = await begin()
    const replies = [await next.add(await other.request(1)), await next.add(await log.request(1))]
    const signed = replies.filter(({ status }) => status === 200)
    assert.deepEqual(
      replies.map(({ status }) => status),
      fails === 'before' ? [200, 409] : [409, 409],
    )
    assert.equal(signed.length, fails === 'before' ? 1 : 0)
    if (fails === 'before') continue
    const { status, body } = await next.add(await log.request(3))
    assert.equal(status, 200, 'what was kept and not signed can be asked for again')
    assert.deepEqual(await signedBy((await log.note()) + body), BOTH)
    assert.equal((await next.add(await other.request(3))).status, 422)
  }
})

test('of two requests at once that continue the same state in two ways one is signed', async () => {
  const log = new TestLog().append('a', 'b', 'c')
  const other = log.fork(1).append('x', 'y')
  const { begin } = market(log)
  const witness = await begin()
  await witness.add(await log.request(0, 1))
  const both = await Promise.all(
    [log, other, log, other].map(async (one) => witness.add(await one.request(1))),
  )
  // Which of them comes first is decided by whose signature is checked first.
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
})

test('requests that wait have an end: the others are sent away, and may ask again', async () => {
  const log = new TestLog().append('a')
  const witness = await market(log).begin()
  const request = await log.request(0)
  const statuses = Array.from({ length: 40 }, async () => (await witness.add(request)).status)
  const away = (await Promise.all(statuses)).filter((status) => status === 503)
  assert.equal(away.length, 8)
  assert.equal((await witness.add(await log.request(1))).status, 200)
})

test('a memory that was put back signs nothing until it is confirmed; with our own newer signature it catches up', async () => {
  const log = new TestLog().append('a', 'b', 'c', 'd')
  const { begin, disk, told } = market(log)
  const before = await begin()
  await before.add(await log.request(0, 1))
  const old = disk.note
  const { body } = await before.add(await log.request(1, 3))
  const cosigned = (await log.note(3)) + body

  disk.note = old
  disk.moved = 'it is a copy'
  const held = await begin()
  assert.deepEqual([held.held, held.newest], ['it is a copy', undefined])
  const other = log.fork(1).append('x', 'y')
  for (const request of [await log.request(1), await other.request(1), await log.request(1, 1)])
    assert.equal((await held.add(request)).status, 503)
  assert.equal(disk.note, old)

  // An operator who is wrong about it: the log still shows what we signed
  await held.confirm()
  const shown = addRequestText({ ...parseAddRequest(await log.request(1, 3)), note: cosigned })
  assert.deepEqual(await held.add(shown).then(({ status, body: size }) => [status, size]), [409, '3\n'])
  assert.ok(told.some((words) => words.includes('our own signature')))
  assert.equal((await held.add(await other.request(1))).status, 409)
  assert.equal((await held.add(await log.request(3))).status, 200)
})

test('a kept checkpoint of another log is refused at the start', async () => {
  const { begin, disk } = market(new TestLog())
  disk.note = await new TestLog().append('a').note()
  await assert.rejects(begin(), /must hold the log’s/)
})
