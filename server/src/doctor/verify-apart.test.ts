import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testShop } from '#server/testing/shop.ts'
import { verifierApart } from './verify-apart.ts'

test('a thread verifies proofs by the chain of the program, several at once; one that failed or ended is told', async () => {
  await using shop = await testShop()
  const { db, chain } = shop.deps
  const world = anchoringWorld(db, chain)
  for (const box of ['one', 'two']) {
    await addBox(db, box)
    await addRecords(db, box, 2)
  }
  await world.pass()
  const proofOf = async (box: string): Promise<string> =>
    (await shop.app.inject(`/api/box/${box}/proof`)).body
  const [one, two] = [await proofOf('one'), await proofOf('two')]
  const changed = JSON.parse(two)
  changed.records[0].at = '2000-01-01T00:00:00Z'
  const { contract } = await world.ledger()
  const place = { contract, node: undefined }
  const verdicts = async (of: Parameters<typeof verifierApart>[1]): Promise<string[]> => {
    await using verifier = verifierApart(place, of)
    const all = [one, JSON.stringify(changed), '{', two]
    return await Promise.all(all.map(async (text) => (await verifier.verify(text)).verdict))
  }
  assert.deepEqual(await verdicts(chain), ['verified', 'broken', 'unproven', 'verified'])
  const away = { rpc: () => Promise.reject(new Error('the node is away')) }
  assert.deepEqual(await verdicts(away), ['unreachable', 'broken', 'unproven', 'unreachable'])

  const verifier = verifierApart(place, chain)
  const waits = assert.rejects(verifier.verify(one), /has ended/)
  await verifier[Symbol.asyncDispose]()
  await waits
  await assert.rejects(verifier.verify(two), /has ended/)
})
