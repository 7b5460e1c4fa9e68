import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as inBrowsers from './sha256.ts'
import * as inNode from './sha256-node.ts'

test('Node’s own SHA-256 and the one for browsers give the same hashes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const hex = Buffer.from(bytes).toString('hex')
      assert.equal(Buffer.from(inNode.sha256(bytes)).toString('hex'), inBrowsers.sha256OfHex(hex))
      assert.equal(inNode.sha256OfHex(hex), Buffer.from(inBrowsers.sha256(bytes)).toString('hex'))
    }),
  )
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' // of "abc"
  assert.equal(inNode.sha256OfHex('616263'), known)
})

test('all at once have the hashes that each has alone, with the browser’s own and without it', async (t) => {
  const all = [0, 1, 55, 56, 64, 2_000].map((length) => new Uint8Array(length).fill(length))
  const hashes = all.map(inNode.sha256)
  assert.deepEqual(await inNode.sha256OfAll(all), hashes)
  assert.deepEqual(await inBrowsers.sha256OfAll(all), hashes)
  t.mock.getter(crypto, 'subtle', () => undefined)
  assert.deepEqual(await inBrowsers.sha256OfAll(all), hashes)
})
