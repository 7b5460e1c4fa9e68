import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'cborg'
import { FormatError } from '../index.ts'
import { readCoseStatement } from './cose-statement.ts'
import { readCoseWeighing } from './cose-weighing.ts'
import { Signer, weighingPackOf } from './signer.ts'
import { FIRST } from './statement.ts'

const weighed = { box: 'A-1', counter: 1, of: 'box', grams: 41_000, timeS: 1_795_222_060 } as const

const refused = (bytes: Uint8Array): boolean => {
  try {
    readCoseWeighing(bytes)
    return false
  } catch (cause) {
    assert.ok(cause instanceof FormatError)
    return true
  }
}

test('a statement is box, counter, what of and whole grams of one time, and nothing else', () => {
  const scale = new Signer()
  const pack = weighingPackOf(weighed)
  const signed = (...changes: readonly [at: number, label: number, value: unknown][]): Uint8Array => {
    const spoilt = pack.map((one, i) => {
      const own = changes.filter(([at]) => at === i)
      return new Map<unknown, unknown>([...one, ...own.map(([, label, value]) => [label, value] as const)])
    })
    return scale.cose(encode(spoilt), scale.header(FIRST))
  }
  const { grams, time, scale: name, prev } = readCoseWeighing(signed())
  assert.deepEqual(
    [grams, time, name, prev],
    [41_000, '2026-11-21T00:47:40.000Z', 'urn:dev:mac:0024befffe80aaaa', FIRST],
  )
  for (const kilograms of [0.001, 0.029, 1.005, 8.2, 38.205, 999.999, 1_000])
    assert.equal(readCoseWeighing(signed([3, 2, kilograms])).grams, Math.round(kilograms * 1000))
  for (const kilograms of [
    0,
    -0.001,
    0.0005,
    0.0014,
    38.2051,
    Math.fround(38.2),
    1_000.001,
    41_000,
    '41',
    true,
  ])
    assert.ok(refused(signed([3, 2, kilograms])), `${kilograms}`)
  const wrong: [at: number, label: number, value: unknown][] = [
    [3, 1, 'g'],
    [3, 1, 'lb'],
    [3, 6, 1],
    [3, 0, 'temp'],
    [3, 3, 'x'],
    [2, 3, 'fish'],
    [2, 2, 1],
    [2, 0, 'box'],
    [1, 2, 1.5],
    [1, 2, -1],
    [0, 3, ''],
    [0, -2, `urn:dev:mac:${'0'.repeat(80)}_`],
    [0, -3, 60],
  ]
  for (const change of wrong) assert.ok(refused(signed(change)), `${change}`)
  assert.ok(refused(scale.cose(encode(pack), scale.header())), 'it follows nothing')
  assert.ok(refused(scale.cose(encode(pack.slice(0, 3)), scale.header(FIRST))))
  assert.ok(refused(scale.cose(encode([...pack, pack[1]]), scale.header(FIRST))))
  assert.throws(() => readCoseStatement(signed()), FormatError, 'it is no reading')
})
