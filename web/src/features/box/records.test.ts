import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { groupText, openedPortion, PORTION, recordGroups } from './records.ts'

type Row = { seq: number; kind: string; state: string }
const history = (kinds: readonly string[], state = (_: number) => 'anchored'): Row[] =>
  kinds.map((kind, i) => ({ seq: i + 1, kind, state: state(i) }))
const groupsOf = (rows: readonly Row[]) => recordGroups(rows, ({ state }) => state)
const told = (rows: readonly Row[]) =>
  groupsOf(rows).map(({ rows: own, isFolded }) => (isFolded ? groupText(own) : own[0]?.kind))

test('readings that follow each other are one row, also with what was computed after each', () => {
  const many = (n: number, ...kinds: string[]) => Array.from({ length: n }, () => kinds).flat()
  assert.deepEqual(told(history(['registration', 'catch', ...many(99, 'tracking'), 'seal'])), [
    'registration',
    'catch',
    '99 readings',
    'seal',
  ])
  assert.deepEqual(told(history(['catch', ...many(98, 'tracking', 'freshness')])), [
    'catch',
    '98 readings and 98 freshness values',
  ])
  assert.deepEqual(told(history(many(3, 'tracking'))), ['tracking', 'tracking', 'tracking'])
})

test('a record of another state is never hidden in a group', () => {
  const rows = history(Array(20).fill('tracking'), (i) => (i === 9 ? 'broken' : 'anchored'))
  assert.deepEqual(told(rows), ['9 readings', 'tracking', '10 readings'])
})

test('every record is in the table once, in order, and the rows are few', () => {
  const row = fc.record({
    kind: fc.constantFrom('tracking', 'freshness', 'correction', 'handover'),
    state: fc.constantFrom('anchored', 'pending'),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 300 }), fc.nat(300), (given, opened) => {
      const rows = given.map((one, i) => ({ ...one, seq: i + 1 }))
      const groups = groupsOf(rows)
      assert.deepEqual(
        groups.flatMap((group) => group.rows),
        rows,
      )
      assert.ok(groups.length <= 60)
      const shown = groups.flatMap((group) => openedPortion(group, opened).shown)
      assert.ok(shown.length <= 60 + PORTION)
      if (opened >= 1 && opened <= rows.length) assert.ok(shown.some(({ seq }) => seq === opened))
    }),
  )
})

test('an opened group shows a portion, and how much is before and after it', () => {
  const group = { rows: history(Array(120).fill('tracking')), isFolded: true }
  const at = (seq: number) => {
    const { shown, before, after } = openedPortion(group, seq)
    return [before, shown[0]?.seq, shown.length, after]
  }
  assert.deepEqual(at(1), [0, 1, 50, 70])
  assert.deepEqual(at(75), [50, 51, 50, 20])
  assert.deepEqual(at(120), [100, 101, 20, 0])
  assert.deepEqual(at(121), [0, undefined, 0, 0])
})
