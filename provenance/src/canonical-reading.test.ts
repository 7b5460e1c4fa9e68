import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJsonText } from './canonical.ts'
import { FormatError } from './format-error.ts'

test('a text reads as JSON.parse reads it', () => {
  fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(parseJsonText(text), JSON.parse(text))))
})

test('a name given twice in one object is refused, in two objects it is fine', () => {
  for (const text of [
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":1}',
    '[{"x":{"b":[],"c":0,"b" :1}}]',
    '{"__proto__":1,"__proto__":2}',
  ])
    assert.throws(() => parseJsonText(text), FormatError, text)
  assert.deepEqual(parseJsonText('[{"a":1},{"a":{"a":2}}]'), [{ a: 1 }, { a: { a: 2 } }])
})

test('colons and quotes inside strings do not count as names', () => {
  for (const value of [{ a: '"b":' }, ['x\\":', '":"'], { 'k"ey:': ['\\', ':'] }])
    assert.deepEqual(parseJsonText(JSON.stringify(value)), value)
})

test('what is not JSON is refused with a FormatError', () => {
  for (const text of ['', '{', 'NaN', '[1,]', "{'a':1}", '\u0000', '01'])
    assert.throws(() => parseJsonText(text), FormatError)
})

test('a long string and deep nesting do not exhaust the stack', () => {
  assert.equal(parseJsonText(JSON.stringify('x'.repeat(5_000_000))), 'x'.repeat(5_000_000))
  assert.ok(Array.isArray(parseJsonText(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)))
})
