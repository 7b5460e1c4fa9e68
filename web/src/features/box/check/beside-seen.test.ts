import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attacks } from '@befaqt/provenance/attack/attacks'
import { answering, answersOf, honestScene } from '@befaqt/provenance/attack/scene'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { utf8 } from '@befaqt/provenance/digest'
import { newSigner, type TestLog } from '@befaqt/provenance/testing/log'
import { loggedBundle, logOf, shopOf } from '@befaqt/provenance/testing/logged-shop'
import { Shop } from '@befaqt/provenance/testing/shop'
import { verifyBundle } from '@befaqt/provenance/verify'
import { besideSeen, withoutLog } from './beside-seen.ts'
import type { SeenNote } from './kept-log.ts'

/** Box A has grown at the anchors 0, 2 and 4 of five. */
const shop = shopOf()
const log = logOf(shop)
/** Another history by the same key, which parts from the true one after two anchors. */
const fork = log.fork(2).append('another', 'history', 'of anchors')

const seenOf = async (of: TestLog, size = of.size): Promise<SeenNote> => ({
  note: await of.note(size),
  size,
  at: '2026-11-24T04:05:00Z',
})

type Shown = { shown?: TestLog | null; ledger?: ReturnType<Shop['ledger']> }

/** What is found, with the names of the logs that were read for it. */
async function found(
  seen: SeenNote,
  bundle: ProofBundle,
  { shown = log, ledger: reader = shop.ledger() }: Shown = {},
) {
  const asked = new Set<string>()
  const [result, anchors] = [await verifyBundle(bundle, reader), await reader.count()]
  const line = await besideSeen(
    seen,
    { bundle, result, anchors },
    { timeZone: 'Australia/Sydney' },
    (origin) => {
      return async (path) => {
        asked.add(origin)
        const body = await shown?.answer(path)
        return typeof body === 'string' ? utf8(body) : body
      }
    },
  )
  return { line, asked: [...asked], verdict: result.verdict }
}

test('nothing is said where the log of the proof holds all that was seen', async () => {
  const bundle = await loggedBundle(shop, 'A')
  for (const size of [1, 2, 3, 4, 5]) {
    const { line, verdict, asked } = await found(await seenOf(log, size), bundle)
    assert.deepEqual([line, verdict], [undefined, 'verified'], `${size}`)
    assert.deepEqual(
      asked,
      size === 5 ? [] : [log.signer.key.name],
      'the same state needs no file of the log',
    )
  }
})

test('a log that contradicts what was seen is named with both sizes, whichever of them is larger', async () => {
  const says = (line: { message: string } | undefined) => line?.message.match(/(?<=with )\d+/g)
  for (const [seen, size, shown] of [
    [await seenOf(fork, 4), 5, log],
    [await seenOf(fork, 5), 5, log],
    [await seenOf(fork, 5), 3, fork],
  ] as const) {
    const { line, verdict } = await found(seen, await loggedBundle(shop, 'A', { size }), { shown })
    assert.equal(verdict, 'verified', 'the proof alone is without fault')
    assert.deepEqual([line?.tone, line?.title], ['bad', 'Another log'])
    assert.deepEqual(says(line), [`${seen.size}`, `${size}`])
    assert.match(line?.message ?? '', /^On Tue 24 Nov, 3:05 pm this browser saw/)
  }
})

test('a shop whose data were put back, with its ledger, is told to be older than what was seen', async () => {
  const honest = new Shop()
  const grow = (temperature: number) => {
    honest.append('A', 'tracking', { temperature })
    honest.anchor()
  }
  for (const temperature of [1, 2, 9.9]) grow(temperature)
  const older = await loggedBundle(honest, 'A')
  const answers = await answersOf(honest.ledger(), [older])
  grow(12.5)
  const seen = await seenOf(logOf(honest))
  for (const shown of [logOf(honest), logOf(honest).fork(3), null]) {
    const { line, verdict } = await found(seen, older, { shown, ledger: answering(answers) as never })
    assert.equal(verdict, 'verified', 'a visitor who saw nothing is shown no fault')
    assert.deepEqual([line?.tone, line?.title], ['warn', 'Older than what this browser saw'])
    assert.match(line?.message ?? '', /with 4 entries\. .* older state, of 3 entries:/)
  }
  // One whose ledger is as it was is found out by the ledger
  const whole = await loggedBundle(honest, 'A')
  const scene = honestScene(whole, await answersOf(honest.ledger(), [whole]), null)
  const rolledBack = attacks.rollback.act(scene)
  assert.ok(rolledBack)
  const { line, verdict } = await found(seen, rolledBack.bundle, { ledger: honest.ledger() })
  assert.deepEqual([line, verdict], [undefined, 'incomplete'])
})

test('a proof that waits for its witnesses, so that its log is behind what was seen, is as good as any', async () => {
  const { line, verdict } = await found(await seenOf(log), await loggedBundle(shop, 'A', { size: 3 }))
  assert.deepEqual([line, verdict], [undefined, 'verified'])
})

test('a log that is not shown, or not as it was signed, is no proof that it was continued', async () => {
  const bundle = await loggedBundle(shop, 'A')
  const title = async (shown: TestLog | null, size: number, proof = bundle) =>
    (await found(await seenOf(log, size), proof, { shown })).line?.title
  assert.equal(await title(null, 3), 'Not compared with what this browser saw')
  assert.equal(await title(fork, 3), 'Not compared with what this browser saw')
  assert.equal(
    await title(null, 5, await loggedBundle(shop, 'A', { size: 3 })),
    'Not compared with what this browser saw',
  )
  assert.equal(await title(log, 3, shop.bundleOf('A')), 'The log is not shown')
})

test('a log that was begun anew over the same anchors continues the former, and one over others does not', async () => {
  const next = logOf(shop, newSigner(`${log.signer.key.name}/2`))
  const bundle = await loggedBundle(shop, 'A', { log: next })
  const same = await found(await seenOf(log, 4), bundle, { shown: next })
  assert.deepEqual([same.line, same.asked], [undefined, [next.signer.key.name]])
  const other = await found(await seenOf(fork, 4), bundle, { shown: next })
  assert.equal(other.line?.title, 'Another log')
})

test('a proof that is broken says what is wrong itself, and what was kept without being a state says nothing', async () => {
  const bundle = await loggedBundle(shop, 'A')
  const scene = honestScene(bundle, await answersOf(shop.ledger(), [bundle]), null)
  const forged = attacks.log.act(scene)
  assert.ok(forged)
  const { line, verdict } = await found(await seenOf(fork, 4), forged.bundle)
  assert.deepEqual([line, verdict], [undefined, 'broken'])
  const kept = await found({ note: 'fish', size: 9, at: '2026-11-24T04:05:00Z' }, bundle)
  assert.equal(kept.line, undefined)
})

test('without its log a proof is as it comes to whoever saw nothing', async () => {
  assert.deepEqual(withoutLog(await loggedBundle(shop, 'A')), shop.bundleOf('A'))
  assert.deepEqual(withoutLog(await loggedBundle(shop, 'A', { size: 3 })), shop.bundleOf('A'))
})
