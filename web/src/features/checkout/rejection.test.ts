import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, ShopError } from '@befaqt/domain/errors'
import { noConnection } from '#web/api/call-api.ts'
import { ofForm, rejectionOf, retryAfter } from './rejection.ts'

const error = (code: ErrorCode, details: Record<string, unknown> = {}) =>
  new ShopError(code, 'No.', { details })

test('each of the shop’s answers is told by what can be done about it', () => {
  const lines = [{ product_id: 'a', wanted: 2, left: 1 }]
  for (const [thrown, why] of [
    [error('stock.insufficient', { lines }), 'stock'],
    [error('price.changed', { total: 100, lines: [] }), 'price'],
    [error('slot.unavailable', { reason: 'full', slots: [] }), 'slot'],
    [error('auth.required'), 'logged-out'],
    [error('idempotency.differs'), 'differs'],
    [error('rate.limited'), 'refused'],
    [error('input.invalid'), 'refused'],
  ] as const)
    assert.equal(rejectionOf(thrown).why, why)
  assert.deepEqual(rejectionOf(error('stock.insufficient', { lines })), { why: 'stock', lines })
  const prices = [{ product_id: 'a', price: 125, discount: 0, unit: '100g' }]
  assert.deepEqual(rejectionOf(error('price.changed', { lines: prices })), {
    why: 'price',
    total: null,
    fee: null,
    prices,
  })
})

test('without an answer of the shop it is unknown whether an order was placed', () => {
  assert.deepEqual(rejectionOf(noConnection()), {
    why: 'unknown',
    message: 'No connection to the shop. Check your network and try again.',
    answered: false,
  })
  for (const thrown of [
    error('unavailable'),
    error('unavailable', { answered: 500 }),
    error('idempotency.running'),
  ])
    assert.deepEqual(rejectionOf(thrown), { why: 'unknown', message: 'No.', answered: true })
  assert.equal(rejectionOf(new TypeError('bug')).why, 'unknown')
})

test('only what is being worked on is asked for again by itself', () => {
  assert.equal(retryAfter(error('idempotency.running', { retryAfterS: 3 })), 3)
  assert.equal(retryAfter(error('idempotency.running')), 1)
  assert.equal(retryAfter(error('stock.insufficient')), null)
  assert.equal(retryAfter(noConnection()), null)
})

test('errors of nested fields are those of the form’s fields', () => {
  const fields = [
    { path: 'contact.email', message: 'enter valid email address' },
    { path: 'fulfilment.address.postcode', message: 'postcode must be 4 digits' },
    { path: 'note', message: 'too long' },
  ]
  const found = ofForm(new ShopError('input.invalid', 'No.', { fields })).fields.map(({ path }) => path)
  assert.deepEqual(found, ['email', 'postcode', 'note'])
})
