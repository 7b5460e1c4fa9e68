import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { Shop } from '../testing/shop.ts'
import { coseData } from '../testing/signed-histories.ts'
import { registerBoxOf } from './device-register.ts'
import { Signer } from './signer.ts'

/** Ends the addresses of modules that this file has for itself, whatever others of its process have loaded. */
const OFFLINE = '?offline'

test('where the reader of CBOR can’t be loaded the check fails, and calls no signature wrong', async () => {
  const hooks = registerHooks({
    resolve(name, context, next) {
      const found = next(name, context)
      if (context.parentURL?.endsWith(OFFLINE) !== true || !name.startsWith('.')) return found
      if (name.endsWith('/cose-statement.ts')) throw new TypeError('Failed to fetch a module')
      return { ...found, url: found.url + OFFLINE }
    },
  })
  try {
    const verifier: typeof import('../verify.ts') = await import(`../verify.ts${OFFLINE}`)
    const logger = new Signer()
    const shop = new Shop()
    shop.append('A-1', 'registration')
    shop.append(registerBoxOf(logger.id), 'device', logger.entry('sensor', '2020-01-01T00:00:00Z'))
    const readings = [{ timeS: 1_795_222_000, temperature: 1.5 }]
    shop.append('A-1', 'tracking', coseData(logger.logger({ box: 'A-1', counter: 1, readings }), 0))
    shop.anchor()
    const bundle = { ...shop.bundleOf('A-1'), devices: [shop.bundleOf(registerBoxOf(logger.id))] }
    await assert.rejects(verifier.verifyBundle(bundle, shop.ledger()), { message: 'CBOR' })
  } finally {
    hooks.deregister()
  }
})
