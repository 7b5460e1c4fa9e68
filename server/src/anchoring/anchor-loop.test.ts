import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDb } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { retryDelayS, startAnchoring } from './anchor-loop.ts'
import type { AnchoringLog } from './anchoring.ts'
import { chainHealth } from './ledger-health.ts'

/** A log whose next message of a kind can be waited for. */
function listening() {
  const waiting = new Map<string, () => void>()
  const heard = (_details: object, message: string): void => waiting.get(message)?.()
  const log: AnchoringLog = { info: heard, warn: heard, error: heard }
  return { log, next: (message: string) => new Promise<void>((done) => waiting.set(message, done)) }
}

test('a ledger that is gone is told loudly, seen in health, and forgotten when the chain that holds it is back', async () => {
  await using t = await testDb()
  await using network = await testNetwork()
  const { log, next } = listening()
  const { deps } = anchoringWorld(t.db, network.chain, { now: () => new Date(), log })
  const first = next('the ledger is deployed')
  const loop = startAnchoring(t, deps, 0.01)
  await first
  const rightNode = network.node.rpc
  const stopped = next('anchoring has stopped until an operator decides')
  await network.reset()
  await stopped
  await addBox(t.db, 'a')
  await addRecords(t.db, 'a', 1)
  const { fault, pendingRecords } = await chainHealth(deps)
  assert.equal(pendingRecords, 1)
  assert.match(fault ?? '', /ledger is gone/)
  const goesOn = next('anchoring resumed')
  network.node.rpc = rightNode
  await goesOn
  assert.equal((await chainHealth(deps)).fault, null)
  await loop.stop()
})

test('waits grow from a second to a minute', () => {
  assert.deepEqual([1, 2, 3, 7, 50].map(retryDelayS), [1, 2, 4, 60, 60])
})
