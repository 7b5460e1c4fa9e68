import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type KeptFavourites,
  NO_FAVOURITES,
  readFavourites,
  withFavourite,
  withoutFavourite,
  writeFavourites,
} from './favourites.ts'
import { MAX_FAVOURITES } from './limits.ts'

const snapper = { _id: 'p1', title: 'Snapper' }
const oysters = { _id: 'p2', title: 'Oysters' }

test('favourites are read as they were written, the newest first', () => {
  const items = withFavourite(withFavourite([], snapper), oysters)
  assert.deepEqual(items, [oysters, snapper])
  for (const isAccount of [true, false]) {
    const kept: KeptFavourites = { isAccount, items }
    assert.deepEqual(readFavourites(writeFavourites(kept)), kept)
  }
})

test('an empty list of a device leaves nothing behind, one of an account stays known as such', () => {
  assert.equal(writeFavourites(NO_FAVOURITES), null)
  assert.deepEqual(readFavourites(writeFavourites({ isAccount: true, items: [] })), {
    isAccount: true,
    items: [],
  })
})

test('one that is there already keeps its place, one that is not there can be taken out, and a full list stays', () => {
  const items = [oysters, snapper]
  assert.equal(withFavourite(items, { ...snapper, title: 'Other' }), items)
  assert.deepEqual(withoutFavourite(items, 'p2'), [snapper])
  assert.equal(withoutFavourite(items, 'p9'), items)
  const full = Array.from({ length: MAX_FAVOURITES }, (_, i) => ({ _id: `f${i}`, title: 'Fish' }))
  assert.equal(withFavourite(full, snapper), full)
})

test('whatever is stored is read: what is no favourite, or is there twice, is left out', () => {
  const stored = (items: unknown[]) => JSON.stringify({ isAccount: false, items })
  for (const wrong of [
    { _id: 'p3' },
    { _id: '', title: 'x' },
    { _id: 'p4', title: 'x'.repeat(201) },
    { _id: 5, title: 'x' },
    null,
    'p1',
    { ...snapper, title: 'again' },
  ])
    assert.deepEqual(readFavourites(stored([snapper, wrong])).items, [snapper])
  for (const text of [null, '', 'x', '[]', 'null', '1', '{"items":{}}', '{"isAccount":true}'])
    assert.deepEqual(readFavourites(text), NO_FAVOURITES)
  fc.assert(fc.property(fc.json(), (text) => void readFavourites(text)))
})
