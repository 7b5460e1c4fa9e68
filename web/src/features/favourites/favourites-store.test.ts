import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_FAVOURITES } from '@befaqt/domain/limits'
import { createFavourites } from './favourites-store.ts'
import { FAVOURITES_KEY } from './shown-favourites.ts'

const snapper = { _id: 'p1', title: 'Snapper' }
const oysters = { _id: 'p2', title: 'Oysters' }

/** Storage as a browser has it: one for all tabs. It counts what is written. */
function memory() {
  const values = new Map<string, string>()
  const seen = { writes: 0 }
  return {
    values,
    seen,
    kept: () => ({
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => {
        seen.writes += 1
        values.set(key, value)
      },
      removeItem: (key: string) => {
        seen.writes += 1
        values.delete(key)
      },
    }),
  }
}

test('a tab changes what is stored now, not what it last saw, and writes nothing where nothing changed', () => {
  const { kept, seen } = memory()
  const [one, two] = [createFavourites(kept), createFavourites(kept)]
  one.keep(snapper, true)
  two.load()
  one.keep(snapper, false)
  two.keep(oysters, true)
  assert.deepEqual(two.get().items, [oysters], 'what the other tab took out stays out')
  const before = seen.writes
  assert.equal(two.keep(oysters, true), false)
  two.change((now) => now)
  two.load()
  assert.equal(seen.writes, before)
})

test('listeners hear of each change, and an empty list of a device leaves nothing stored', () => {
  const { kept, values } = memory()
  const store = createFavourites(kept)
  let heard = 0
  const stop = store.subscribe(() => {
    heard += 1
  })
  assert.equal(store.keep(snapper, true), true)
  assert.ok(heard > 0)
  assert.equal(store.keep(snapper, false), true)
  assert.equal(values.has(FAVOURITES_KEY), false)
  stop()
  const before = heard
  store.keep(oysters, true)
  assert.equal(heard, before)
})

test('a full list says so and stays as it is', () => {
  const store = createFavourites(memory().kept)
  const items = Array.from({ length: MAX_FAVOURITES }, (_, i) => ({ _id: `f${i}`, title: 'Fish' }))
  store.change(() => ({ isAccount: false, items }))
  assert.equal(store.keep(snapper, true), false)
  assert.match(store.get().problem, /Take one out first/)
  assert.equal(store.get().items.length, MAX_FAVOURITES)
  store.keep({ _id: 'f0', title: 'Fish' }, false)
  assert.equal(store.get().problem, '')
  assert.equal(store.keep(snapper, true), true)
})

test('a browser that keeps nothing has favourites as long as the page lives', () => {
  const store = createFavourites(() => {
    throw new Error('forbidden')
  })
  store.load()
  assert.equal(store.keep(snapper, true), true)
  assert.equal(store.keep(oysters, true), true)
  store.load()
  assert.deepEqual(store.get().items, [oysters, snapper])
})
