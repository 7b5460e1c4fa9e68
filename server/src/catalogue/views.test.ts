import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProductView } from '@befaqt/domain/catalogue'
import { cardOf } from './views.ts'

const image = (path: string) => ({ path, width: 6, height: 4, alt: path })

const snapper: ProductView = {
  _id: 's',
  title: 'Snapper',
  category_id: 'fish',
  imagePaths: ['a', 'b'],
  price: 34.5,
  unit: 'kg',
  includeGST: true,
  discount: 10,
  stock: 3,
  shelfPos: '1.1',
  status: 'ACTIVE',
  origin: ['Australia'],
  allergens: ['fish'],
  pieceWeight: 450,
  orderLimit: 0,
  step: 0.25,
  preparations: [],
  description: 'Long words that no card shows.',
  images: [image('a'), image('b')],
  box: null,
  saleStopped: false,
}

test('a card has only the first image with its alternative text, so that a page of thousands stays light', () => {
  assert.deepEqual(cardOf(snapper), {
    _id: 's',
    title: 'Snapper',
    price: 34.5,
    discount: 10,
    unit: 'kg',
    stock: 3,
    shelfPos: '1.1',
    origin: ['Australia'],
    box: null,
    saleStopped: false,
    image: image('a'),
    isPrepared: false,
  })
  const filleted = [{ kind: 'skin-on' as const, yieldPercent: 44, feeCents: 400 }]
  assert.equal(cardOf({ ...snapper, preparations: filleted }).isPrepared, true)
  assert.equal(cardOf({ ...snapper, imagePaths: [], images: [] }).image, null)
})
