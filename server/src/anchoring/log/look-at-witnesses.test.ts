import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifierKeyText } from '@befaqt/provenance/log/note'
import { parsePolicy } from '@befaqt/provenance/log/policy'
import { type Signer, signCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { newSigner } from '@befaqt/provenance/testing/log'
import { embeddedChain } from '#server/chain/embedded.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { AT_ONCE, logSettings, signedIn } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { liar } from '#server/testing/liar.ts'
import { witnessCalls } from './ask-witnesses.ts'
import { followAnchors } from './sign-log.ts'
import { signerOf } from './signing.ts'

const { origin, secrets } = logSettings()
const ROOT = new Uint8Array(32).fill(7) as Parameters<typeof signCheckpoint>[0]['root']

for (const [kind, open] of testDatabases)
  test(`${kind}: a shop that was put back sees what its witnesses have signed before it signs, and waits for none that hangs`, async () => {
    await using database = await open()
    const { db } = database
    const world = anchoringWorld(db, await embeddedChain(), { now: () => new Date() })
    await addBox(db, 'a')
    await using witness = await liar()
    witness.answer = () => ({ status: 503, body: '' })
    const line = `witness w ${verifierKeyText(witness.key)} ${witness.url}\nquorum none\n`
    const policy = parsePolicy(Buffer.from(line))
    /** A process that starts: what is signed when it has looked at what the witness shows, and followed one anchor more. */
    const started = async (shown?: string, timeoutMs = AT_ONCE.timeoutMs) => {
      witness.shown = shown
      const calls = witnessCalls(policy, { ...AT_ONCE, timeoutMs })
      await addRecords(db, 'a', 1)
      await world.pass()
      await followAnchors({ ...logSettings(), witnesses: calls })(world.deps)
      await calls.settled()
      await calls.stop()
      const [log] = await db.select().from(anchorLogs)
      return { sizes: (await signedIn(db)).map(({ size }) => size), fault: log?.fault ?? null }
    }
    const signed = (size: number, by: Signer) => signCheckpoint({ origin, size, root: ROOT }, by)
    const own = signerOf(origin, secrets)

    assert.deepEqual(await started(), { sizes: [1], fault: null })
    const [first] = await signedIn(db)
    assert.deepEqual(await started(first?.note), { sizes: [1, 2], fault: null }, 'one that is behind')
    const others = await started(signed(9, newSigner(origin)))
    assert.deepEqual(others, { sizes: [1, 2, 3], fault: null }, 'what we have not signed')
    witness.hangs = true
    assert.deepEqual(await started(undefined, 300), { sizes: [1, 2, 3, 4], fault: null })
    witness.hangs = false
    for (const [size, words] of [
      [9, /was signed with 9 anchors, and this database knows/],
      [4, /and these are others/],
    ] as const) {
      const { sizes, fault } = await started(signed(size, own))
      assert.deepEqual(sizes, [1, 2, 3, 4], 'not even the next one')
      assert.match(fault ?? '', words)
    }
  })
