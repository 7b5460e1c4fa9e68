import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShopError } from '@befaqt/domain/errors'
import { changedBy, saveDraft } from './save-draft.ts'

type Row = { _id: string; version: number; status: string; price: number; stock: number }

const base: Row = { _id: 'a', version: 1, status: 'ACTIVE', price: 30, stock: 4 }

/** A shop with one row, which refuses changes of older versions as the real one does. */
function shopWith(now: Row) {
  const sent: object[] = []
  const save = async ({ version }: Row, changes: Partial<Row>): Promise<Row> => {
    sent.push(changes)
    if (version !== now.version)
      throw new ShopError('version.stale', 'Somebody else changed this.', { details: { current: now } })
    return { ...now, ...changes, version: now.version + 1 }
  }
  const valuesOf = ({ price, stock }: Row) => ({ price, stock })
  const draftOf = (changes: object) => ({ ...valuesOf(base), ...changes })
  const quiet = () => undefined
  return {
    sent,
    save: (changes: object) =>
      saveDraft<Row, ReturnType<typeof valuesOf>>({ save, valuesOf }, base, draftOf(changes), quiet),
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
