import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStrictJson } from './strict-json.ts'

test('JSON is parsed as by JSON.parse', () => {
  for (const text of [
    '{"a":[1,-2.5e3,"\\"x\\u00e9{}[]:,",null,true],"b":{"a":{}},"":""}',
    ' [ ] ',
    '"\\"\\"\\""',
    '{"a":{"b":1},"c":{"b":1}}',
    '["a","a"]',
    '0',
  ])
    assert.deepEqual(parseStrictJson(text), JSON.parse(text), text)
})

test('JSON that parsers disagree on or fail on is rejected', () => {
  for (const [text, why] of [
    ['{"a":1,"a":2}', /twice/],
    ['[{"x":{"a":1,"\\u0061":2}}]', /twice/],
    ['{"__proto__":1,"__proto__":2}', /twice/],
    ['{"__proto__":{"isAdmin":true}}', /__proto__/],
    ['[[{"\\u005f_proto__":null}]]', /__proto__/],
    ['[1e999]', /too large/],
    ['-1e999', /too large/],
    ['[1,]', /not JSON/],
    ['{"a":1}}', /not JSON/],
    ['', /not JSON/],
  ] as const)
    assert.throws(() => parseStrictJson(text), why, text)
  assert.doesNotThrow(() => parseStrictJson('['.repeat(200) + ']'.repeat(200)))
  assert.throws(() => parseStrictJson('['.repeat(202) + ']'.repeat(202)), /nested too deeply/)
  assert.throws(() => parseStrictJson('{"a":'.repeat(40_000) + 1 + '}'.repeat(40_000)), /nested too deeply/)
})

test('a hostile text of 256 KiB, valid or not, takes no longer than many times its length', () => {
  const LENGTH = 256 * 1024
  const filled = (unit: string): string => unit.repeat(LENGTH / unit.length)
  const hostile = [
    filled('\\"'),
    `"${filled('\\"')}`,
    `"${filled('\\"')}"`,
    `"${filled('\\\\')}"`,
    filled('"'),
    `[${filled('"",')}""]`,
    `["",${filled(' ')}""]`,
    `[""${filled(' ')}]`,
    `["" ${filled(' ,""  ')}]`,
    filled('['),
    filled('{"a":'),
    `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join()}}`,
    filled('1'),
    `1e${filled('9')}`,
    filled('\ud800'),
  ]
  const took = hostile.map((text) => {
    const began = performance.now()
    try {
      parseStrictJson(text)
    } catch {}
    return performance.now() - began
  })
  // The quadratic check took 25,000 ms for the first of them; a linear one takes some milliseconds.
  assert.ok(Math.max(...took) < 3_000, took.map(Math.round).join())
})

test('what no schema has so much of is rejected before anything is made of it', () => {
  const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"f${i}":{"a":":"}`).join()}}`
  assert.doesNotThrow(() => parseStrictJson(fields(1_000)))
  for (const [text, why] of [
    [fields(1_001), /an object has more than 1000 fields/],
    [`{${'"a":'.repeat(600_000)}`, /more than 1000 fields/],
    [`[${'[],'.repeat(1_500_000)}[]]`, /more than 300000 objects and lists/],
    ['['.repeat(1_500_000), /nested too deeply/],
  ] as const)
    assert.throws(() => parseStrictJson(text), why)
  assert.doesNotThrow(
    () => parseStrictJson(`["${':{['.repeat(2_000)}"]`),
    'what a string holds does not count',
  )
})
