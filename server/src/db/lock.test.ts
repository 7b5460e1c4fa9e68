import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'
import { type Locks, lock } from './lock.ts'

type All = ReturnType<typeof lock>
type Kind = Exclude<keyof All, 'tx'>
type Left<K extends Kind> = Exclude<keyof Awaited<ReturnType<All[K]>>[1], 'tx'>
type Is<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type May<From, To> = From extends To ? true : false

/** Held by the compiler: what is left after each kind, and that a function which takes an earlier one can't be given it. */
const held: [
  Is<Left<'orders'>, 'products' | 'boxes' | 'slots' | 'coupons'>,
  Is<Left<'products'>, 'boxes' | 'slots' | 'coupons'>,
  Is<Left<'boxes'>, 'slots' | 'coupons'>,
  Is<Left<'slots'>, 'coupons'>,
  Is<Left<'coupons'>, never>,
  May<Locks<'products' | 'boxes' | 'slots'>, Locks<'slots'>>,
] = [true, true, true, true, true, true]
const refused: [
  May<Locks<'slots'>, Locks<'boxes'>>,
  May<Locks<'boxes' | 'slots'>, Locks<'products'>>,
  May<Locks<'products' | 'boxes' | 'slots'>, Locks<'orders'>>,
] = [false, false, false]

for (const [name, open] of testDatabases)
  test(`${name}: rows are locked kind after kind, and what was taken is not offered again`, async () => {
    await using shop = await shopWithOrders({ open })
    const { _id } = await shop.placed({ ice: 1 })
    assert.deepEqual([held.every(Boolean), refused.some(Boolean)], [true, false])
    await shop.deps.db.transaction(async (tx) => {
      const kinds = (locks: object) => Object.keys(locks).sort()
      const [orders, first] = await lock(tx).orders([_id, 'none'])
      const [products, second] = await first.products(['snapper', 'ice', 'snapper'], 'key share')
      const [boxes, third] = await second.boxes([])
      const [slots, fourth] = await third.slots([shop.pickup])
      const [coupons, last] = await fourth.coupons([])
      assert.deepEqual(
        [...orders.keys(), ...products.keys(), ...slots.keys()],
        [_id, 'ice', 'snapper', shop.pickup],
      )
      assert.equal(boxes.size + coupons.size, 0)
      assert.deepEqual([first, second, third, fourth, last].map(kinds), [
        ['boxes', 'coupons', 'products', 'slots', 'tx'],
        ['boxes', 'coupons', 'slots', 'tx'],
        ['coupons', 'slots', 'tx'],
        ['coupons', 'tx'],
        ['tx'],
      ])
    })
  })

test('rows of these kinds are locked nowhere else, unless whoever does it waits for nobody', () => {
  const source = fileURLToPath(new URL('..', import.meta.url))
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !/\.test\.ts$|^testing\/|^db\/lock\.ts$/.test(file),
  )
  const others = files.flatMap((file) => {
    const text = readFileSync(`${source}${file}`, 'utf8')
    const ends = [...text.matchAll(/\.for\('[^)]*\)/g)]
    return ends
      .filter(({ 0: end, index }) => {
        const chain = text.slice(text.lastIndexOf('.select(', index), index)
        return /\.from\((?:orders|products|boxes|slots|coupons)\)/.test(chain) && !end.includes('skipLocked')
      })
      .map(() => file)
  })
  assert.deepEqual(others, [])
})
