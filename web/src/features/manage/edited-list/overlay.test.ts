import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyOverlay, type Overlay, type OverlayAction, overlaid, overlayAfter } from './overlay.ts'

type Row = { _id: string; version: number; title: string }

const a = { _id: 'a', version: 1, title: 'A' }
const b = { _id: 'b', version: 1, title: 'B' }
const page = (...rows: Row[]) => ({ rows, page: 1, size: 50, total: rows.length + 100 })
const after = (...actions: OverlayAction<Row>[]): Overlay<Row> =>
  actions.reduce<Overlay<Row>>(overlayAfter, emptyOverlay)
const titles = (rows: readonly Row[]) => rows.map(({ title }) => title)

test('a change is shown before the server has answered, and rolled back when it failed', () => {
  const begun = { type: 'begin', rows: [{ ...a, title: 'A2' }] } as const
  assert.deepEqual(titles(overlaid(page(a, b), after(begun)).rows), ['A2', 'B'])
  const failed = { type: 'end', ids: ['a'], rows: [] } as const
  assert.deepEqual(titles(overlaid(page(a, b), after(begun, failed)).rows), ['A', 'B'])
})

test('the server’s response overrides an older load that arrives later, and not a newer one', () => {
  const overlay = after({ type: 'end', ids: ['a'], rows: [{ ...a, version: 2, title: 'A2' }] })
  assert.deepEqual(titles(overlaid(page(a), overlay).rows), ['A2'])
  assert.deepEqual(titles(overlaid(page({ ...a, version: 3, title: 'A3' }), overlay).rows), ['A3'])
})

test('a row being deleted stays hidden however often the list is loaded, and returns only when that fails', () => {
  const begun = { type: 'beginDelete', id: 'a' } as const
  const [first, again] = [overlaid(page(a, b), after(begun)), overlaid(page(b, a), after(begun))]
  assert.deepEqual([titles(first.rows), first.total], [['B'], 101])
  assert.deepEqual([titles(again.rows), again.total], [['B'], 101])
  assert.deepEqual(titles(overlaid(page(a, b), after(begun, { type: 'deleted', id: 'a' })).rows), ['B'])
  const failed = overlaid(page(a, b), after(begun, { type: 'end', ids: ['a'], rows: [] }))
  assert.deepEqual([titles(failed.rows), failed.total], [['A', 'B'], 102])
})

test('a failure of one row rolls back no other', () => {
  const overlay = after(
    { type: 'begin', rows: [{ ...a, title: 'A2' }] },
    { type: 'begin', rows: [{ ...b, title: 'B2' }] },
    { type: 'end', ids: ['a'], rows: [] },
  )
  assert.deepEqual(titles(overlaid(page(a, b), overlay).rows), ['A', 'B2'])
})
