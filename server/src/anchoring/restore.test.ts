import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import type { BoxResult } from '@befaqt/provenance/verdict'
import { verifyBundle } from '@befaqt/provenance/verify'
import { proofBundle } from '#server/boxes/proof-bundle.ts'
import type { Database } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { ledgerGaps } from '#server/db/schema/ledger.ts'
import { assertContinued, logSettings, signedIn } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld, rowsAlone } from '#server/testing/anchoring.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { privateKey, type TestNetwork, testNetwork } from '#server/testing/network.ts'
import { type Restorable, restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { startAnchoring } from './anchor-loop.ts'
import { ledgerLocation } from './ledger.ts'
import { chainHealth } from './ledger-health.ts'
import { logDifferences } from './log/log-rows.ts'
import { followAnchors } from './log/sign-log.ts'

const kinds = [
  { kind: 'embedded', make: restorableEmbedded, skip: false },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
]
const program = fileURLToPath(new URL('../cli/ledger-recover.ts', import.meta.url))

/** The shop's database while it is open, and what a visitor and an operator do with it. */
async function open(place: Restorable, network: TestNetwork) {
  const database = await place.open()
  const world = anchoringWorld(database.db, network.chain, { now: () => new Date() })
  const proof = (box: string): Promise<string> =>
    proofBundle(
      { ...rowsAlone(database.db), ledger: ledgerLocation(database.db, network.chain, network.http.url) },
      box,
    )
  return {
    ...world,
    database,
    db: database.db,
    proof,
    add: async (box: string, n: number, sealed = false) => {
      await addBox(database.db, box).catch(() => undefined) // it may be there
      await addRecords(database.db, box, n, sealed)
    },
    anchor: async () => {
      for (let i = 0; i < 4; i++) {
        await world.pass()
        await network.mine()
      }
      await followAnchors(logSettings())(world.deps)
    },
    signed: async () => (await signedIn(database.db)).map(({ note }) => note),
    verify: async (box: string) => verify(network, await proof(box)),
    [Symbol.asyncDispose]: () => database.close(),
  }
}

async function verify(network: TestNetwork, proof: string): Promise<BoxResult> {
  const bundle = JSON.parse(proof)
  return verifyBundle(bundle, rpcLedger(network.http.url, fetch, { contract: bundle.ledger.contract }))
}

/** The command, as an operator runs it. */
async function recover(place: Restorable, network: TestNetwork, ...args: string[]) {
  const settings = { CHAIN_RPC_URL: network.http.url, CHAIN_PRIVATE_KEY: privateKey }
  const env = { PATH: process.env.PATH, ...place.env, ...settings }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { status, out, err }
}

/** Runs the loop of the shop until it has stopped with a fault, and answers it. */
async function faultOf(database: Database, deps: Parameters<typeof startAnchoring>[1]): Promise<string> {
  const loop = startAnchoring(database, deps, 0.05)
  for (;;) {
    const { fault } = await chainHealth(deps)
    if (fault !== null) return loop.stop().then(() => fault)
    await sleep(200)
  }
}

for (const { kind, make, skip } of kinds) {
  test(`${kind}: a backup that is older than the ledger is restored, and anchoring resumed`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    const hourAgo = Math.floor(Date.now() / 1000) - 3600
    await network.node.rpc({ method: 'evm_setNextBlockTimestamp', params: [hourAgo] })
    const kept = { sealed: '', grown: '', signed: [] as string[] }
    {
      await using shop = await open(place, network)
      await shop.add('quiet', 2)
      await shop.add('grown', 2)
      await shop.add('sealed', 2, true)
      await shop.anchor()
      await shop.add('grown', 1)
      await shop.anchor()
      assert.equal((await shop.anchors()).length, 2)
      kept.sealed = await shop.proof('sealed')
      await shop.db.update(boxes).set({ createdAt: new Date((hourAgo - 60) * 1000) })
    }
    await place.backUp()
    {
      await using shop = await open(place, network)
      await shop.add('grown', 4)
      await shop.anchor()
      await shop.add('late', 1)
      await shop.anchor()
      assert.equal((await shop.anchors()).length, 4)
      assert.equal((await shop.verify('grown')).verdict, 'verified')
      kept.grown = await shop.proof('grown')
      kept.signed = await shop.signed()
      assert.equal(kept.signed.length, 4)
    }
    await place.restore()
    {
      await using shop = await open(place, network)
      const words = /The ledger holds 4 anchors and this database knows of 2: .* npm run -s ledger:recover/
      assert.match(await faultOf(shop.database, shop.deps), words)
      assert.equal((await shop.verify('quiet')).verdict, 'incomplete')
      await shop.add('grown', 1) // taken in while nobody decides
      await shop.add('fresh', 1, true)
      const pass = shop.pass()
      await assert.rejects(pass, /The ledger holds another root at index 2.*ledger:recover/)
    }
    await network.mine(3)
    const asked = await recover(place, network)
    assert.deepEqual([asked.status, asked.err], [1, ''])
    assert.match(asked.out, /anchors that this database does not know: 2 to 3,/)
    assert.match(asked.out, /They took in 5 records\. 3 records here are in no known anchor/)
    assert.match(asked.out, /at least 2 are lost/)
    assert.match(asked.out, /2 boxes, which were open: grown, quiet\n/)
    assert.match(asked.out, /Nothing was changed/)

    const done = await recover(place, network, '--yes')
    assert.deepEqual([done.status, done.err], [1, ''])
    assert.match(done.out, /Anchoring goes on at anchor 4\. Held back: 2 boxes/)
    {
      await using shop = await open(place, network)
      await shop.anchor()
      assert.deepEqual(
        (await shop.anchors()).map(({ index, state }) => [index, state]),
        [0, 1, 4, 5].map((index) => [index, 'confirmed']),
      )
      const [, known, next] = await shop.anchors()
      assert.deepEqual(
        [next?.root, next?.boxes, next?.records],
        [known?.root, known?.boxes, 0],
        'the first after the gap holds the map as it was restored',
      )
      const { verdict, sealed } = await shop.verify('fresh')
      assert.deepEqual([verdict, sealed], ['verified', true], 'a seal that was collected in vain is anchored')
      assert.equal((await shop.verify('sealed')).verdict, 'verified')
      assert.equal((await verify(network, kept.sealed)).verdict, 'verified')
      for (const box of ['quiet', 'grown']) {
        const { verdict, reasons } = await shop.verify(box)
        assert.deepEqual([verdict, reasons.map(({ code }) => code)], ['incomplete', ['newer_anchor']], box)
      }
      const ofGrown = await verify(network, kept.grown)
      assert.ok(ofGrown.records.every(({ verdict }) => verdict === 'anchored'))
      const { fault, pendingRecords } = await chainHealth(shop.deps)
      assert.deepEqual([fault, pendingRecords], [null, 0])
      const continued = await assertContinued(shop.db, [...kept.signed, ...(await shop.signed())])
      assert.deepEqual(
        [...new Set(continued.map(({ size }) => size))],
        [1, 2, 3, 4, 6],
        'the log goes on with the lost anchors, as the ledger tells them, also from what the backup lacks',
      )
      assert.deepEqual(await logDifferences(shop.db), [])
      const [gap] = await shop.db.select().from(ledgerGaps)
      assert.deepEqual([gap?.firstIndex, gap?.lastIndex, gap?.records], [2, 3, 5])
    }
    const free = await recover(place, network, '--complete', 'quiet', '--complete', 'nobody')
    assert.match(free.out, /No longer held back: quiet\nNot held back, or not there: nobody/)
    assert.match(free.out, /Held back, their proofs say "incomplete": grown\n/)
    {
      await using shop = await open(place, network)
      await shop.anchor()
      const quiet = await shop.verify('quiet')
      assert.equal(quiet.verdict, 'verified')
      assert.deepEqual(
        quiet.records.map(({ anchor }) => anchor?.index),
        [0, 0],
        'what was proven before the loss keeps its time',
      )
      await shop.add('quiet', 1)
      await shop.anchor()
      const { verdict, records } = await shop.verify('quiet')
      assert.deepEqual([verdict, records.at(-1)?.anchor?.index], ['verified', 6])
      assert.equal((await shop.verify('fresh')).verdict, 'verified')
      assert.equal((await shop.verify('grown')).verdict, 'incomplete', 'records of it were lost')
    }
  })

  test(`${kind}: a backup whose records were all anchored later needs no decision`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    const lost: string[] = []
    {
      await using shop = await open(place, network)
      await shop.add('a', 1)
      await shop.anchor()
      await shop.add('a', 1)
    }
    await place.backUp()
    {
      await using shop = await open(place, network)
      await shop.anchor()
      assert.equal((await shop.anchors()).length, 2)
      lost.push(...(await shop.signed()))
    }
    await place.restore()
    await using shop = await open(place, network)
    await shop.anchor()
    await shop.add('a', 1)
    await shop.anchor()
    assert.equal((await shop.anchors()).length, 3)
    assert.equal((await assertContinued(shop.db, [...lost, ...(await shop.signed())])).at(-1)?.size, 3)
    assert.equal((await shop.verify('a')).verdict, 'verified')
  })
}
