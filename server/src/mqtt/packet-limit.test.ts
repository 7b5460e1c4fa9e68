import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { packetHeads } from './packet-limit.ts'

const MOST = 300

/** A packet with a body of `length` bytes. Source: MQTT 3.1.1 §2.2. */
function packet(length: number): Buffer {
  const head = [0x30]
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    head.push(rest < 128 ? rest : (rest % 128) + 128)
    if (rest < 128) return Buffer.concat([Buffer.from(head), Buffer.alloc(length, 0xff)])
  }
}

test('packets up to the limit pass however they are split, and a larger one is detected by its header', () => {
  const lengths = fc.array(fc.nat(MOST), { maxLength: 12 })
  const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: MOST + 1, max: 70_000 }), cuts, (good, long, sizes) => {
      const passes = packetHeads(MOST)
      const bytes = Buffer.concat([...good.map(packet), packet(long).subarray(0, 4)])
      const verdicts: boolean[] = []
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = sizes[i % sizes.length] ?? 1
        verdicts.push(passes(bytes.subarray(at, at + size)))
        at += size
        if (at < bytes.length - 4) assert.equal(verdicts.at(-1), true)
      }
      assert.ok(verdicts.includes(false))
    }),
  )
})

test('a packet length of more than four bytes is invalid', () => {
  assert.equal(packetHeads(MOST)(Buffer.from([0x30, 0x80, 0x80, 0x80])), true)
  assert.equal(packetHeads(MOST)(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80])), false)
})
