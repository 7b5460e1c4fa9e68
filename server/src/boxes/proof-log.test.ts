import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import { type ProofBundle, parseBundle } from '@befaqt/provenance/bundle'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { keyTypes, parseNote, parseVerifierKey, verifierKeyText } from '@befaqt/provenance/log/note'
import { parsePolicy } from '@befaqt/provenance/log/policy'
import { cosign } from '@befaqt/provenance/log/signed-checkpoint'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { newSigner } from '@befaqt/provenance/testing/log'
import { verifyBundle } from '@befaqt/provenance/verify'
import { pruneNodes } from '#server/anchoring/box-map.ts'
import { keepCosignatures, newestSigned } from '#server/anchoring/log/cosignatures.ts'
import { followAnchors } from '#server/anchoring/log/sign-log.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { logSettings } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'

const ORIGIN = logSettings().origin
const [market, university] = ['market.example/w', 'university.example/w'].map((name) =>
  newSigner(name, keyTypes.ed25519Cosigner),
)
const marketMl = newSigner('market.example/w', keyTypes.mlDsa44Cosigner)

for (const [kind, open] of testDatabases)
  test(`${kind}: a proof with the log is witnessed under the policy of whoever checks, before and after newer anchors`, async () => {
    assert.ok(market && university)
    await using shop = await testShop({ open })
    const { db, chain } = shop.deps
    const world = anchoringWorld(db, chain)
    const follow = followAnchors(logSettings())
    const nowS = (): number => Math.floor(world.deps.now().getTime() / 1000)
    const anchor = async (box: string): Promise<void> => {
      await addRecords(db, box, 1)
      await world.pass()
      await follow(world.deps)
      world.later(60)
    }
    const sign = async (...signers: (typeof market)[]): Promise<void> => {
      const newest = await newestSigned(db, ORIGIN)
      assert.ok(newest)
      const checkpoint = parseCheckpoint(parseNote(newest.note).text)
      const lines = signers.map((signer) => ({
        key: signer.key,
        timeS: nowS(),
        line: cosign(checkpoint, signer, nowS()),
      }))
      await keepCosignatures(db, newest, lines)
    }
    const get = async (path: string) => shop.app.inject({ url: `/api/box/${path}` })
    const read = async (box: string): Promise<ProofBundle> => {
      const reply = await get(`${box}/proof?log=1`)
      assert.equal(reply.statusCode, 200, reply.body)
      return parseBundle(reply.json())
    }
    await addBox(db, 'a')
    await addBox(db, 'b')
    await addRecords(db, 'a', 1)
    await world.pass()
    assert.equal((await read('a')).log, undefined, 'nothing of the log is signed yet')
    await anchor('b')
    for (let i = 0; i < 3; i++) await anchor('a')

    const [log] = await db.select().from(anchorLogs)
    const key = parseVerifierKey(log?.key ?? '')
    const policy = parsePolicy(
      Buffer.from(
        [
          `log ${verifierKeyText(key)}`,
          `witness market ${verifierKeyText(market.key)}`,
          `witness university ${verifierKeyText(university.key)}`,
          'group both all market university',
          'quorum both\n',
        ].join('\n'),
      ),
    )
    const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { contract } = await world.ledger()
    const reader = rpcLedger(`${address}${readChain.url}`, fetch, { contract })
    const check = async (bundle: ProofBundle) => {
      const { verdict, reasons, log } = await verifyBundle(bundle, reader, { policy, nowS: nowS() })
      assert.deepEqual([verdict, reasons], ['verified', []])
      return [log?.state, log?.k, log?.n, log?.upTo]
    }

    assert.deepEqual(await check(await read('a')), ['missed', 0, 2, 0])
    await sign(market, marketMl)
    assert.deepEqual(await check(await read('a')), ['missed', 1, 2, 0])
    await sign(university)
    const whole = await read('a')
    assert.deepEqual(await check(whole), ['witnessed', 2, 2, 4])
    assert.equal(parseNote(whole.log?.checkpoint ?? '').signatures.length, 3, 'one of each witness')
    assert.equal(whole.log?.state, undefined)
    const quiet = await read('b')
    assert.deepEqual(await check(quiet), ['witnessed', 2, 2, 1])
    assert.equal(quiet.log?.state, undefined, 'the newest anchor is shown anyway')

    // Newer anchors that nobody else has signed yet: the state that was signed is shown too, while its map is kept
    await anchor('a')
    await sign(market)
    const newer = await read('a')
    assert.deepEqual(await check(newer), ['witnessed', 2, 2, 4])
    assert.deepEqual(await check(await read('b')), ['witnessed', 2, 2, 1])
    assert.equal((await read('b')).log?.state?.index, 4)
    const newest = (await world.anchors()).at(-1)?.index ?? 0
    await db.transaction((tx) => pruneNodes(tx, newest))
    const pruned = await read('b')
    assert.deepEqual((await check(pruned)).slice(0, 2), ['missed', 1], 'the next that it can be shown in')

    // What is served without asking for it is as before
    const plain = await get('a/proof')
    assert.doesNotMatch(plain.body, /"log"|"boxes"/)
    assert.equal((await verifyBundle(plain.json(), reader)).verdict, 'verified')
    assert.equal((await get('a/proof?log=yes')).statusCode, 400)
    assert.match(
      (await get('a/proof?log=1&download=1')).headers['content-disposition'] as string,
      /box-a\.proof\.json/,
    )
  })
