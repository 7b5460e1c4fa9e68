import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProofBundle, parseBundle } from './bundle.ts'
import { FormatError } from './format-error.ts'
import { World } from './testing/world.ts'

function sample(): ProofBundle {
  const world = new World()
  for (const box of ['A', 'B', 'C']) world.append(box, 'registration')
  world.anchor()
  world.append('B', 'catch', { species: 'sample' })
  world.anchor()
  return world.bundleOf('B')
}

/** Every place in a value, as the list of names that leads to it. */
function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))]
}

/** A copy of `value` with what stands at `path` replaced. */
function replaced(value: unknown, [name, ...rest]: string[], by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(value)) return value.with(Number(name), replaced(value[Number(name)], rest, by))
  const object = Object.fromEntries(Object.entries(value ?? {}))
  return { ...object, [name]: replaced(object[name], rest, by) }
}

const insideData = (path: string[]) => path.includes('data') && path.at(-1) !== 'data'

test('a sound bundle is read as it is, and as a copy', () => {
  const bundle = sample()
  const parsed = parseBundle(bundle)
  assert.deepEqual(parsed, bundle)
  assert.notEqual(parsed.records, bundle.records)
})

test('at every place a value of another type is refused', () => {
  const bundle = sample()
  for (const path of placesIn(bundle).filter((path) => !insideData(path)))
    for (const odd of [null, true, -1, 0.5, 1e300, '', 'ZZ', [[]], { odd: 1 }, undefined, Number.NaN]) {
      if (path.at(-1) === 'sealed' && odd === true) continue
      if (path.at(-1) === 'data' && typeof odd === 'object' && odd !== null && 'odd' in odd) continue
      if (path.at(-1) === 'by' && (odd === '' || odd === 'ZZ')) continue
      if (path.at(-1) === 'box' && odd === 'ZZ') continue // another box: well-formed, refused by the verifier
      assert.throws(
        () => parseBundle(replaced(bundle, path, odd)),
        FormatError,
        `${path.join('.')} = ${String(odd)}`,
      )
    }
})

test('at every object a field more or less is refused, with its path', () => {
  const bundle = sample()
  for (const path of placesIn(bundle).filter((path) => !insideData(path) && path.at(-1) !== 'data')) {
    const at = path.reduce<unknown>(
      (value, name) => Object.entries(value ?? {}).find(([key]) => key === name)?.[1],
      bundle,
    )
    if (typeof at !== 'object' || at === null || Array.isArray(at)) continue
    assert.throws(() => parseBundle(replaced(bundle, [...path, 'more'], 1)), /\.more: is not known/)
    for (const name of Object.keys(at)) {
      const less = Object.fromEntries(Object.entries(at).filter(([key]) => key !== name))
      assert.throws(() => parseBundle(replaced(bundle, path, less)), new RegExp(`\\.${name}: is missing`))
    }
  }
})

test('hex in capitals, with 0x or without, as the protocol does not write it: refused', () => {
  const bundle = sample()
  const [anchor] = bundle.anchors
  assert.ok(anchor)
  for (const odd of [
    { root: anchor.root.toUpperCase() },
    { root: `0x${anchor.root}` },
    { txHash: anchor.txHash.slice(2) },
    { txHash: anchor.txHash.toUpperCase() },
    { time: '2026-11-21 01:02:03' },
    { time: '2026-02-30T01:02:03Z' },
    { path: Array.from({ length: 33 }, () => anchor.root) },
    { treeSize: 2 ** 32 },
  ])
    assert.throws(
      () => parseBundle({ ...bundle, anchors: [{ ...anchor, ...odd }] }),
      FormatError,
      JSON.stringify(odd),
    )
})

test('a bundle without records, or with rpc addresses of another kind, is refused', () => {
  const bundle = sample()
  assert.throws(() => parseBundle({ ...bundle, records: [] }), { path: '$.records' })
  for (const rpc of ['javascript:alert(1)', 'file:///etc/passwd', 'ws://x', 'http://a b'])
    assert.throws(() => parseBundle({ ...bundle, ledger: { ...bundle.ledger, rpc } }), {
      path: '$.ledger.rpc',
    })
})

test('a withheld record has a seq and a hash, and nothing of its content', () => {
  const bundle = sample()
  const withheld = { seq: 1, recordHash: 'ab'.repeat(32), withheld: true }
  const shown = (first: unknown) => ({ ...bundle, records: [first, ...bundle.records.slice(1)] })
  assert.deepEqual(parseBundle(shown(withheld)).records[0], withheld)
  for (const odd of [
    { ...withheld, withheld: false },
    { ...withheld, data: {} },
    { ...bundle.records[0], withheld: true },
  ])
    assert.throws(() => parseBundle(shown(odd)), FormatError)
})
