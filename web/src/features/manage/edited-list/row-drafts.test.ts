import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShopError } from '@befaqt/domain/errors'
import {
  changedBy,
  type DraftAction,
  type DraftFailure,
  draftsAfter,
  noDrafts,
  type RowDrafts,
  saveDraft,
} from './row-drafts.ts'

type Row = { _id: string; version: number }
type Values = { price: number; stock: number }

const [a, b] = [
  { _id: 'a', version: 1 },
  { _id: 'b', version: 1 },
]
const start = { price: 30, stock: 4 }
const after = (...actions: DraftAction<Row, Values>[]): RowDrafts<Row, Values> =>
  actions.reduce<RowDrafts<Row, Values>>(draftsAfter, noDrafts)
const edit = (row: Row): DraftAction<Row, Values> => ({ type: 'edit', row, start })
const failure: DraftFailure<Row, Values> = { message: 'No connection.', loggedOut: false, conflict: null }
const failed = (id: string, how = failure): DraftAction<Row, Values> => ({ type: 'failed', id, failure: how })

test('one row is open at a time; a draft outlives the opening of another row once something was typed', () => {
  const untouched = after(edit(a), edit(b))
  assert.deepEqual([untouched.open, [...untouched.byId.keys()]], ['b', ['b']])
  const typed = after(edit(a), { type: 'dirty', id: 'a' }, edit(b))
  assert.deepEqual([typed.open, [...typed.byId.keys()]], ['b', ['a', 'b']])
  assert.equal(draftsAfter(typed, edit(a)).byId.get('a')?.attempt, 1, 'its form is the same as before')
})

test('a draft lives on while it is being saved and after that failed, and ends when it is saved', () => {
  const dirty = [edit(a), { type: 'dirty', id: 'a' }, { type: 'saving', id: 'a' }] as const
  const saving = after(...dirty)
  assert.equal(saving.open, null, 'the row shows what it will be')
  assert.deepEqual(draftsAfter(saving, edit(b)).byId.has('a'), true)
  const back = draftsAfter(saving, failed('a'))
  assert.deepEqual(
    [back.byId.get('a')?.dirty, back.byId.get('a')?.failure?.message],
    [true, 'No connection.'],
  )
  const dismissed = draftsAfter(back, { type: 'dismiss', id: 'a' })
  assert.deepEqual([dismissed.byId.get('a')?.dirty, dismissed.byId.get('a')?.failure], [true, null])
  assert.equal(draftsAfter(saving, { type: 'end', id: 'a' }).byId.size, 0)
})

test('a draft that is taken up again after a conflict begins with theirs, and mine where it is mine', () => {
  const mine = { price: 35, stock: 9 }
  const conflict = {
    theirs: { _id: 'a', version: 2 },
    values: { base: start, mine, theirs: { price: 32, stock: 4 } },
    fields: [{ field: 'price', mine: 35, theirs: 32 }],
    by: 'others' as const,
  }
  const drafts = after(edit(a), { type: 'saving', id: 'a' }, failed('a', { ...failure, conflict }))
  const resume = (...given: string[]) =>
    draftsAfter(drafts, { type: 'resume', id: 'a', takeTheirs: new Set(given) }).byId.get('a')
  assert.deepEqual(resume()?.start, { price: 35, stock: 9 })
  assert.deepEqual(resume('price')?.start, { price: 32, stock: 9 })
  assert.deepEqual([resume()?.base.version, resume()?.attempt, resume()?.dirty], [2, 2, true])
  assert.deepEqual(draftsAfter(drafts, edit(a)).byId.get('a')?.start, mine, 'also by its Edit button')
})

test('a draft from before the page was loaded anew is dirty and holds what was typed, until its form begins anew', () => {
  const typed = { texts: [['price', '35,']], images: [], lost: 0 } as const
  const restored = after({ type: 'restore', row: a, start, typed, isOpen: true }, edit(b))
  assert.deepEqual([restored.open, [...restored.byId.keys()]], ['b', ['a', 'b']])
  assert.deepEqual(
    [restored.byId.get('a')?.dirty, restored.byId.get('a')?.typed, restored.byId.get('b')?.typed],
    [true, typed, null],
  )
  const conflict = {
    theirs: b,
    values: { base: start, mine: start, theirs: start },
    fields: [],
    by: 'others' as const,
  }
  const resumed = [
    failed('a', { ...failure, conflict }),
    { type: 'resume', id: 'a', takeTheirs: new Set<string>() },
  ] as const
  assert.equal(resumed.reduce<RowDrafts<Row, Values>>(draftsAfter, restored).byId.get('a')?.typed, null)
})

test('an update of a draft that has ended changes nothing', () =>
  assert.deepEqual(after(edit(a), { type: 'end', id: 'a' }, failed('a')), { open: null, byId: new Map() }))

type Priced = { _id: string; version: number; status: string; price: number; stock: number }

const base: Priced = { _id: 'a', version: 1, status: 'ACTIVE', price: 30, stock: 4 }

/** A shop with one row, which refuses changes of older versions as the real one does. */
function shopWith(now: Priced) {
  const sent: object[] = []
  const save = async ({ version }: Priced, changes: Partial<Priced>): Promise<Priced> => {
    sent.push(changes)
    if (version !== now.version)
      throw new ShopError('version.stale', 'Somebody else changed this.', { details: { current: now } })
    return { ...now, ...changes, version: now.version + 1 }
  }
  const valuesOf = ({ price, stock }: Priced) => ({ price, stock })
  const draftOf = (changes: object) => ({ ...valuesOf(base), ...changes })
  const quiet = () => undefined
  return {
    sent,
    save: (changes: object) =>
      saveDraft<Priced, ReturnType<typeof valuesOf>>({ save, valuesOf }, base, draftOf(changes), quiet),
  }
}

test('only fields that were changed are sent', async () => {
  const shop = shopWith(base)
  assert.deepEqual(await shop.save({ stock: 9 }), {
    row: { ...base, stock: 9, version: 2 },
    over: 1,
    kept: [],
  })
  assert.deepEqual(shop.sent, [{ stock: 9 }])
})

test('what somebody else changed in another field stays, and is reported', async () => {
  const shop = shopWith({ ...base, version: 7, price: 32 })
  assert.deepEqual(await shop.save({ stock: 9 }), {
    row: { ...base, price: 32, stock: 9, version: 8 },
    over: 7,
    kept: ['price'],
  })
})

test('a field that both changed is not overwritten', async () => {
  const shop = shopWith({ ...base, version: 7, stock: 0 })
  await assert.rejects(shop.save({ stock: 9 }), { code: 'version.stale' })
  assert.equal(shop.sent.length, 1)
})

test('versions made by this page tell its own changes from those of others', () => {
  const own = new Set([2, 3, 5])
  assert.equal(changedBy(1, 3, own), 'self')
  assert.equal(changedBy(3, 4, own), 'others')
  assert.equal(changedBy(3, 5, own), 'both')
})
