import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Site } from '@befaqt/domain/api/site-api'
import type { ProductView } from '@befaqt/domain/catalogue'
import { breadcrumbs, productThing } from './structured-data.ts'

const site = { name: 'BeFAQT', publicUrl: 'https://fish.example' } as Site
const snapper: ProductView = {
  _id: '7',
  title: 'Snapper',
  category_id: 'c',
  imagePaths: ['a.webp'],
  price: 18.9,
  unit: 'kg',
  includeGST: false,
  discount: 15,
  stock: 0,
  shelfPos: '1',
  status: 'ACTIVE',
  origin: ['Australia'],
  allergens: ['fish'],
  pieceWeight: 450,
  orderLimit: 0,
  step: 0.25,
  preparations: [],
  description: '',
  images: [{ path: 'a.webp', width: 3, height: 2, alt: '' }],
  box: null,
  saleStopped: false,
}

test('a product’s offer has the price after discount, and says when it is out of stock', () => {
  const { offers, image } = productThing(site, snapper)
  assert.deepEqual(image, ['https://fish.example/api/file/a.webp'])
  assert.deepEqual(offers, {
    '@type': 'Offer',
    url: 'https://fish.example/product/7',
    price: '16.07',
    priceCurrency: 'AUD',
    availability: 'https://schema.org/OutOfStock',
  })
})

test('breadcrumbs are numbered from the home page', () => {
  const { itemListElement } = breadcrumbs(site, [['Categories', '/category']])
  assert.deepEqual(
    (itemListElement as { position: number; item: string }[]).map(({ position, item }) => [position, item]),
    [
      [1, 'https://fish.example/'],
      [2, 'https://fish.example/category'],
    ],
  )
})
