import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Shop } from '../testing/shop.ts'
import { coseData } from '../testing/signed-histories.ts'
import { registerBoxOf } from './device-register.ts'
import { Signer } from './signer.ts'

test('while the ledger is asked for a box, its signatures are verified and their registers asked for', async (t) => {
  const { mock } = t.mock.method(crypto, 'verify')
  syncBuiltinESMExports()
  const { verifyBundle } = await import('../verify.ts')
  const logger = new Signer()
  const shop = new Shop()
  shop.append('A-1', 'registration')
  shop.append(registerBoxOf(logger.id), 'device', logger.entry('sensor', '2020-01-01T00:00:00Z'))
  const readings = [{ timeS: 1_795_222_000, temperature: 1.5 }]
  for (const counter of [1, 2, 3]) {
    const bytes = logger.logger({ box: 'A-1', counter, readings })
    shop.append('A-1', 'tracking', coseData(bytes, 0))
  }
  shop.anchor()
  const bundle = { ...shop.bundleOf('A-1'), devices: [shop.bundleOf(registerBoxOf(logger.id))] }

  const ledger = shop.ledger()
  const answer = Promise.withResolvers<void>()
  let asked = 0
  const waits = {
    ...ledger,
    count: () => (asked++ === 0 ? answer.promise : Promise.resolve()).then(ledger.count),
  }
  const result = verifyBundle(bundle, waits)
  for (let i = 0; i < 200 && (asked < 2 || mock.callCount() < 3); i++) await sleep(10)
  assert.deepEqual([asked, mock.callCount()], [2, 3])
  answer.resolve()
  const { verdict, signatures } = await result
  assert.deepEqual([verdict, signatures.sensor], ['verified', 3])
  assert.equal(mock.callCount(), 3, 'each once')
})
