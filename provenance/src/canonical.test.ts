import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalize, jsonCopy, MAX_DEPTH } from './canonical.ts'
import { FormatError } from './format-error.ts'

const refused = (value: unknown) => assert.throws(() => canonicalize(value), FormatError)

test('numbers are written as RFC 8785 appendix B lists them', () => {
  for (const [bits, text] of [
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555555', '333333333.3333333'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ] as const)
    assert.equal(canonicalize(Buffer.from(bits, 'hex').readDoubleBE()), text, bits)
})

test('names are sorted by UTF-16 units, so an emoji stands before U+FB33', () => {
  assert.equal(
    canonicalize({ '\ufb33': 1, '\u{1f600}': 2, b: 3, a: 4 }),
    '{"a":4,"b":3,"\u{1f600}":2,"\ufb33":1}',
  )
})

test('what JSON can not hold is refused, wherever it stands', () => {
  const values = [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    Symbol('s'),
    () => 0,
    '\ud800',
    new Date(0),
  ]
  for (const value of [...values, new Map(), new Uint8Array(2), new Number(1), /x/]) {
    refused(value)
    refused({ inner: [value] })
  }
  refused({ '\udc00': 1 })
})

test('holes in lists and cycles are refused', () => {
  refused(new Array(3))
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  refused(cycle)
})

test('nesting up to the limit is taken, one deeper is refused', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 0 : [nested(depth - 1)])
  assert.equal(canonicalize(nested(MAX_DEPTH)).length, 2 * MAX_DEPTH + 1)
  refused(nested(MAX_DEPTH + 1))
  refused(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))
})

test('the error names the place', () => {
  assert.throws(() => canonicalize({ list: [1, { x: Number.NaN }] }), { path: '$.list[1].x' })
})

test('a member called __proto__ is a member like others', () => {
  assert.equal(canonicalize(JSON.parse('{"__proto__":{"a":1}}')), '{"__proto__":{"a":1}}')
})

test('reading a canonical text gives the same value, and its canonical text is itself', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalize(value)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.equal(canonicalize(JSON.parse(text)), text)
    }),
  )
})

test('the order in which members were added does not matter', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const turned = Object.fromEntries(Object.entries(object).reverse())
      assert.equal(canonicalize(turned), canonicalize(object))
    }),
  )
})

test('names that are indexes stand where their UTF-16 units say, not first', () => {
  assert.equal(canonicalize({ a: [{ 9: 1, 10: 2 }], '!': 3, 0: 4 }), '{"!":3,"0":4,"a":[{"10":2,"9":1}]}')
})

test('a copy is what its canonical text is read as, down to the order of its names', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const [copy, read] = [jsonCopy(value), JSON.parse(canonicalize(value))]
      assert.deepEqual(copy, read)
      assert.equal(JSON.stringify(copy), JSON.stringify(read))
    }),
  )
  assert.ok(Object.is(jsonCopy(-0), 0))
})

test('every part is read once: what answers otherwise the second time is not in the text', () => {
  const turning = () => {
    const answers = [1, undefined]
    return Object.defineProperty({}, 'x', { enumerable: true, get: () => answers.shift() })
  }
  assert.equal(canonicalize(turning()), '{"x":1}')
  assert.deepEqual(jsonCopy([turning()]), [{ x: 1 }])
})
