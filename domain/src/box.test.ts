import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Box, boxSchema, submissionKey as keyIn, MAX_READINGS } from './box.ts'
import { parseDegrees } from './box-values.ts'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'
import { anyBox, sampleBox } from './testing/boxes.ts'

const now = new Date('2026-11-20T00:00:00Z')
const schema = boxSchema({ now, timeZone: ZONE })

/** Paths of all that is refused, as a caller would write them; an unknown field by its own name. */
function refused(input: unknown): string[] {
  const parsed = schema.safeParse(input)
  if (parsed.success) return []
  return parsed.error.issues
    .flatMap((issue) => ('keys' in issue ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]))
    .map((path) => path.join('.'))
}

type Tree = Record<string, unknown> | unknown[]

/** A copy of the sample with the field at `path` changed by `change`. */
function damaged(path: string, change: (holder: Record<string, unknown>, name: string) => void): unknown {
  const copy: unknown = structuredClone(sampleBox())
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce<Tree>((at, name) => (at as Record<string, Tree>)[name] ?? {}, copy as Tree)
  change(holder as Record<string, unknown>, last)
  return copy
}
const withValue = (path: string, value: unknown): unknown =>
  damaged(path, (holder, name) => {
    holder[name] = value
  })

function paths(value: unknown, path: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')]
  return [
    ...(path.length > 0 ? [path.join('.')] : []),
    ...Object.entries(value).flatMap(([name, inner]) => paths(inner, [...path, name])),
  ]
}

test('every value of a Box is returned as it was sent', () => {
  fc.assert(fc.property(anyBox, (box) => assert.deepEqual(schema.parse(box), box)))
  assert.deepEqual(schema.parse(sampleBox()), sampleBox())
})

test('a Box without any one of its fields is refused with that path; only txHash may be missing', () => {
  const names = paths(sampleBox()).filter((path) => !/\.\d+$/.test(path) && !path.endsWith('txHash'))
  assert.ok(names.length > 60)
  for (const path of names) {
    const without = damaged(path, (holder, name) => {
      delete holder[name]
    })
    assert.deepEqual(refused(without), [path])
  }
  assert.deepEqual(refused(withValue('catchProv.txHash', null)), [])
})

test('an unknown field is rejected with its path, wherever it is', () => {
  for (const holder of [
    '',
    'fisher.',
    'catchProv.',
    'iotResult.',
    'iotResult.iotTracking.1.',
    'imageProc.0.overallResult.',
    'imageProc.0.resultPerImage.0.',
    'e_nose.0.resultPerTest.0.',
    'freshness.0.',
  ])
    assert.deepEqual(refused(withValue(`${holder}extra`, 1)), [`${holder}extra`])
  const hidden = JSON.parse(JSON.stringify(sampleBox()).replace('{', '{"__proto__":{"boxID":"x"},'))
  assert.deepEqual(refused(hidden), ['__proto__'])
})

test('values of the wrong type, out of range or too long are rejected with their path', () => {
  const table: [string, unknown[]][] = [
    ['boxID', ['', '..', '.a', 'a/b', 'a b', 'ä', 'x'.repeat(65), 345579444, null]],
    ['fisher', [null, 'Bob', []]],
    ['fisher.traderID', ['', 7, 'x'.repeat(201), 'a\nb']],
    ['fisher.traderName', ['a\u0000b', 'a\u202eb', '\ud800']],
    ['catchProv.latitude', [200, -90.001, '-30.4', null, Number.NaN, Number.POSITIVE_INFINITY]],
    ['catchProv.longitude', [180.5, -181, true]],
    ['catchProv.locationCodeLat', [91, {}, null]],
    [
      'catchProv.img',
      ['javascript:alert(1)', ' JavaScript:x', 'data:text/html,x', '//evil.example/x', 'http:///x'],
    ],
    ['catchProv.size', [-1, [], null]],
    ['catchProv.time', ['', 'today', '2026-02-30 10:00:00', '1999-12-31 00:00:00', 1763000000]],
    ['iotResult.iotScore', [-0.1, 1.1, '0.5']],
    ['iotResult.iotTracking.0.temperature', [900, -61, '2', null, Number.NaN]],
    ['iotResult.iotTracking.1.time', ['2026-11-20 25:00:00']],
    ['imageProc.0.overallResult.eye', [2, null]],
    ['e_nose.0.resultPerTest.0.sensingData', ['javascript:x', 5]],
    ['freshness.0.freshnessIndex', [1.01, null]],
    ['freshness', [null, {}, 'x']],
    ['freshness.0.txHash', [5, 'x'.repeat(201)]],
  ]
  for (const [path, values] of table)
    for (const value of values)
      assert.deepEqual([...new Set(refused(withValue(path, value)))], [path], `${path} ${String(value)}`)
})

test('a time in the future is rejected, in both formats, and reported with the other errors', () => {
  assert.deepEqual(refused(withValue('catchProv.time', '2026-11-20 11:04:00')), [])
  assert.deepEqual(refused(withValue('catchProv.time', '2026-11-20 11:06:00')), ['catchProv.time'])
  assert.deepEqual(refused(withValue('freshness.0.time', '2026-11-20T00:06:00Z')), ['freshness.0.time'])
  const both = withValue('iotResult.iotTracking.1.time', '2099-01-01 00:00:00') as ReturnType<
    typeof sampleBox
  >
  Reflect.set(both.fisher, 'boat', 7)
  assert.deepEqual(refused(both).sort(), ['fisher.boat', 'iotResult.iotTracking.1.time'])
})

test('50,000 readings are rejected as one error of the list', () => {
  const reading = sampleBox().iotResult?.iotTracking[0]
  const many = Array.from({ length: 50_000 }, () => ({ ...reading, temperature: 'warm' }))
  assert.deepEqual(refused(withValue('iotResult.iotTracking', many)), ['iotResult.iotTracking'])
  const most = Array.from({ length: MAX_READINGS }, () => reading)
  assert.deepEqual(refused(withValue('iotResult.iotTracking', most)), [])
})

test('a value that is not an object is rejected and does not throw', () => {
  for (const input of [null, undefined, 1, 'box', [], [sampleBox()]]) assert.ok(refused(input).length > 0)
  assert.equal(Box.safeParse({}).success, false)
})

const submissionKey = (reading: Parameters<typeof keyIn>[0]): string => keyIn(reading, 'Australia/Sydney')
const reading = { iotID: 'L-1', time: '2026-11-20 10:00:00' }

test('a resent reading is recognized by its id alone, or by its logger and instant', () => {
  const same = [
    [
      { ...reading, id: 'a' },
      { iotID: 'L-2', time: '2026-11-20 11:00:00', id: 'a' },
    ],
    [reading, { ...reading, time: '2026-11-19T23:00:00Z' }],
    [reading, { ...reading, time: '2026-11-20T08:00:00.000+09:00' }],
  ] as const
  for (const [one, other] of same) assert.equal(submissionKey(one), submissionKey(other))
})

test('another id, logger or second is another reading, and no id is mistaken for a time', () => {
  const different = [
    [
      { ...reading, id: 'a' },
      { ...reading, id: 'b' },
    ],
    [reading, { ...reading, id: 'a' }],
    [reading, { ...reading, iotID: 'L-2' }],
    [reading, { ...reading, time: '2026-11-20 10:00:01' }],
    [reading, { ...reading, id: submissionKey(reading) }],
  ] as const
  for (const [one, other] of different) assert.notEqual(submissionKey(one), submissionKey(other))
})

test('a time without an offset is the market’s, wherever that is', () => {
  const perth = 'Australia/Perth'
  assert.equal(keyIn(reading, perth), keyIn({ ...reading, time: '2026-11-20T02:00:00Z' }, perth))
  assert.notEqual(keyIn(reading, perth), keyIn({ ...reading, time: '2026-11-19T23:00:00Z' }, perth))
})

for (const [text, degrees] of [
  ['2.5', 2.5],
  ['2,5', 2.5],
  [' -1,5 ', -1.5],
  ['−1.5', -1.5],
  ['0', 0],
] as const)
  test(`'${text}' are ${degrees} degrees`, () => assert.equal(parseDegrees(text), degrees))

for (const text of ['', ' ', 'warm', '2,5,5', '2 °C'])
  test(`'${text}' are no degrees`, () => assert.equal(parseDegrees(text), text))
