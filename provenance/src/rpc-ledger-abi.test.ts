import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import {
  ANCHOR_OF_SELECTOR,
  ANCHORED_TOPIC,
  abiWords,
  anchorOfCall,
  COUNT_SELECTOR,
  numberFromHex,
} from './rpc-ledger.ts'

const keccak = (signature: string) => `0x${bytesToHex(keccak_256(utf8ToBytes(signature)))}`

test('the constants are the hashes of the signatures in the protocol', () => {
  assert.equal(COUNT_SELECTOR, keccak('count()').slice(0, 10))
  assert.equal(ANCHOR_OF_SELECTOR, keccak('anchorOf(uint64)').slice(0, 10))
  assert.equal(ANCHORED_TOPIC, keccak('Anchored(uint64,bytes32,uint32,uint32)'))
})

test('an index is written as one word', () => {
  assert.equal(anchorOfCall(255), `0x34defa7c${'0'.repeat(62)}ff`)
})

test('data is cut into exactly the words asked for', () => {
  const data = `0x${'AB'.repeat(32)}${'00'.repeat(32)}`
  assert.deepEqual(abiWords(data, 2), ['ab'.repeat(32), '00'.repeat(32)])
  for (const odd of [
    '0x',
    data.slice(0, -1),
    `${data}00`,
    data.slice(2),
    `0x${'zz'.repeat(64)}`,
    null,
    5,
    [data],
  ])
    assert.throws(() => abiWords(odd, 2), { name: 'LedgerError' })
})

test('a number beyond what JavaScript holds exactly is refused, not rounded', () => {
  assert.equal(numberFromHex('0x7a69'), 31337)
  assert.equal(numberFromHex('00ff'), 255)
  assert.equal(numberFromHex('0x1fffffffffffff'), Number.MAX_SAFE_INTEGER)
  for (const odd of ['0x20000000000000', 'f'.repeat(64), '0x', '', '-1', '1.5', '0x1g', 7, null, undefined])
    assert.throws(() => numberFromHex(odd), { name: 'LedgerError' })
})
