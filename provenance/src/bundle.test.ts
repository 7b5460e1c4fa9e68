import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bundleText,
  MAX_BUNDLE_LENGTH,
  parseAbsence,
  parseAbsenceText,
  parseBundle,
  parseBundleText,
} from './bundle.ts'
import { MAX_CHANGES, parseAnchorChanges } from './bundle-parts.ts'
import { FormatError } from './format-error.ts'
import { placesIn } from './testing/json-mutations.ts'
import { Shop } from './testing/shop.ts'

function sample(): Shop {
  const shop = new Shop()
  for (const box of ['B', 'C', 'D', 'E']) shop.append(box, 'registration')
  shop.anchor()
  shop.anchor()
  shop.append('A', 'catch')
  shop.anchor()
  shop.append('B', 'tracking')
  shop.anchor()
  shop.append('A', 'tracking')
  shop.anchor()
  return shop
}

const changes = {
  index: 3,
  root: 'ab'.repeat(32),
  txHash: `0x${'cd'.repeat(32)}`,
  blockNumber: 9,
  time: '2026-11-21T01:02:03Z',
  leaves: [{ box: 'A', count: 2, head: 'ef'.repeat(32), sealed: false, records: ['12'.repeat(32)] }],
}

test('what is written is read back as it was', () => {
  const shop = sample()
  const bundle = shop.bundleOf('A')
  assert.deepEqual(parseBundleText(bundleText(bundle)), bundle)
  const absence = shop.absenceOf('not there')
  assert.deepEqual(parseAbsenceText(bundleText(absence)), absence)
  assert.deepEqual(parseAnchorChanges(changes), changes)
  const page = { ...changes, next: 'A', nextRecord: 1 }
  assert.deepEqual(parseAnchorChanges(page), page)
})

const documents = (): [name: string, document: object, parse: (value: unknown) => unknown][] => {
  const shop = sample()
  return [
    ['bundle', shop.bundleOf('A'), parseBundle],
    ['absence bundle', shop.absenceOf('not there'), parseAbsence],
    ['changes of an anchor', { ...changes, next: 'A' }, parseAnchorChanges],
  ]
}

/** A copy with one member taken away or added, at the place of an object. */
function withMember(
  value: unknown,
  [name, ...rest]: readonly (string | number)[],
  change: (at: object) => object,
): unknown {
  if (name === undefined) return change(Object(value))
  const inner = withMember(Object(value)[name], rest, change)
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...Object(value), [name]: inner }
}

for (const [name, document, parse] of documents()) {
  test(`${name}: at every object a field more or less is refused, with its path`, () => {
    for (const place of placesIn(document)) {
      const at = place.reduce<unknown>((value, step) => Object(value)[step], document)
      if (typeof at !== 'object' || at === null || Array.isArray(at) || place.includes('data')) continue
      assert.throws(() => parse(withMember(document, place, (object) => ({ ...object, more: 1 }))), {
        name: 'FormatError',
        message: /\.more: is not known$/,
      })
      for (const gone of Object.keys(at)) {
        const less = (object: object) =>
          Object.fromEntries(Object.entries(object).filter(([key]) => key !== gone))
        if (gone === 'next') continue
        assert.throws(() => parse(withMember(document, place, less)), {
          message: new RegExp(`\\.${gone}: is missing$`),
        })
      }
    }
  })

  test(`${name}: at every place a value of another type is refused`, () => {
    for (const place of placesIn(document)) {
      const end = place.at(-1)
      if (place.includes('data') || end === 'by' || end === 'kind' || end === 'box') continue
      for (const odd of [true, -1, 0.5, 1e300, '', 'ZZ', [[]], { odd: 1 }, Number.NaN]) {
        if (end === 'sealed' && odd === true) continue
        assert.throws(
          () =>
            parse(
              place.length === 0
                ? odd
                : withMember(document, place.slice(0, -1), (object) =>
                    Array.isArray(object) ? object.with(Number(end), odd) : { ...object, [String(end)]: odd },
                  ),
            ),
          FormatError,
          `${place.join('.')} = ${String(odd)}`,
        )
      }
    }
  })
}

test('a state before with a leaf and another box’s leaf is refused', () => {
  const bundle = sample().bundleOf('A')
  const [first, ...rest] = bundle.anchors
  assert.ok(first?.before)
  const before = { ...first.before, leaf: first.leaf, other: first.leaf }
  assert.throws(() => parseBundle({ ...bundle, anchors: [{ ...first, before }, ...rest] }), {
    path: '$.anchors[0].before.other',
  })
})

test('limits: texts, paths, pages and kinds that are too long', () => {
  const shop = sample()
  const bundle = shop.bundleOf('A')
  assert.throws(() => parseBundleText(' '.repeat(MAX_BUNDLE_LENGTH + 1)), /too long/)
  assert.throws(() => parseAbsenceText(' '.repeat(MAX_BUNDLE_LENGTH + 1)), /too long/)
  const [anchor] = bundle.anchors
  const long = (length: number) => ({
    ...bundle,
    anchors: [{ ...anchor, path: Array(length).fill('ab'.repeat(32)) }],
  })
  assert.equal(parseBundle(long(256)).anchors[0]?.path.length, 256)
  assert.throws(() => parseBundle(long(257)), { path: '$.anchors[0].path' })
  const kind = (text: string) => ({ ...bundle, records: [{ ...bundle.records[0], kind: text }] })
  assert.equal(parseBundle(kind('k'.repeat(64))).records.length, 1)
  for (const odd of ['', 'k'.repeat(65)])
    assert.throws(() => parseBundle(kind(odd)), { path: '$.records[0].kind' })
  const leaves = Array.from({ length: MAX_CHANGES + 1 }, (_, i) => ({
    ...changes.leaves[0],
    box: String(i).padStart(9, '0'),
  }))
  assert.throws(() => parseAnchorChanges({ ...changes, leaves }), { path: '$.leaves' })
  assert.equal(parseAnchorChanges({ ...changes, leaves: leaves.slice(1) }).leaves.length, MAX_CHANGES)
})

test('the changes of an anchor stand in order, none twice, and the next page follows the last box', () => {
  const [leaf] = changes.leaves
  const leaves = (...boxes: string[]) => ({ ...changes, leaves: boxes.map((box) => ({ ...leaf, box })) })
  assert.equal(parseAnchorChanges(leaves('A', 'B', '\ufffd', '\u{1f41f}')).leaves.length, 4) // by UTF-8, not by UTF-16
  for (const odd of [leaves('B', 'A'), leaves('A', 'A'), leaves('\u{1f41f}', '\ufffd')])
    assert.throws(() => parseAnchorChanges(odd), { path: '$.leaves[1].box' })
  assert.throws(() => parseAnchorChanges({ ...leaves('A', 'B'), next: 'A' }), { path: '$.next' })
  for (const odd of [{ nextRecord: 1 }, { next: 'A', nextRecord: 0 }, { next: 'A', nextRecord: 2 }])
    assert.throws(() => parseAnchorChanges({ ...changes, ...odd }), { path: '$.nextRecord' })
})
