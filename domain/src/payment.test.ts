import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cents } from './money.ts'
import { orderStates } from './order-states.ts'
import {
  captureAmount,
  dueOnReceipt,
  mayPayByCard,
  nextStep,
  onceAuthorized,
  type PaymentState,
  paymentMove,
  paymentStates,
  paymentText,
  takesCard,
  unpaidByCard,
} from './payment.ts'

const sums = (state: PaymentState, captured = 0, refunded = 0) => ({
  state,
  amount: 1_100,
  captured,
  refunded,
})

test('a payment never goes back, and nothing is charged after it was given back', () => {
  const reached = (from: PaymentState): PaymentState[] =>
    paymentStates.filter((to) => paymentMove(from, to) !== undefined).flatMap((to) => [to, ...reached(to)])
  for (const state of paymentStates) assert.ok(!reached(state).includes(state), state)
  for (const ended of ['RELEASED', 'EXPIRED', 'REFUNDED'] as const) assert.deepEqual(reached(ended), [])
})

test('an authorization comes once; what was authorized is known by its state', () => {
  assert.deepEqual(onceAuthorized, ['AUTHORIZED', 'CAPTURED', 'RELEASED', 'EXPIRED', 'REFUNDED'])
})

test('a cancelled order gives back what it has, a packed one is charged, and one that waits is left alone', () => {
  const steps = (state: PaymentState, isOver = false) =>
    orderStates.map((status) => nextStep({ state, isOver }, { status, total: 1_000 }))
  const after = (placed: string | null, others: string | null, cancelled: string | null) =>
    orderStates.map((status) => (status === 'PLACED' ? placed : status === 'CANCELLED' ? cancelled : others))
  assert.deepEqual(steps('OPEN'), after(null, null, 'close'))
  assert.deepEqual(steps('OPEN', true), after('close', 'close', 'close'))
  assert.deepEqual(steps('AUTHORIZED'), after(null, 'capture', 'release'))
  assert.deepEqual(steps('CAPTURED'), after(null, null, 'refund'))
  for (const ended of ['LAPSED', 'RELEASED', 'EXPIRED', 'REFUNDED'] as const)
    assert.deepEqual(steps(ended, true), after(null, null, null))
  assert.equal(nextStep({ state: 'AUTHORIZED', isOver: false }, { status: 'PACKED', total: 49 }), 'release')
})

test('never more than was authorized is charged; the rest is paid on receipt', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.nat(10_000_000), (total, amount) => {
      const charged = captureAmount(total, amount)
      assert.ok(charged <= amount && charged <= total)
      const due = dueOnReceipt('PACKED', total, { state: 'CAPTURED', amount, captured: charged, refunded: 0 })
      assert.equal(charged + due, total)
    }),
  )
  assert.equal(dueOnReceipt('PLACED', 1_000, null), 1_000)
  assert.equal(dueOnReceipt('PLACED', 1_200, sums('AUTHORIZED')), 100)
  assert.equal(dueOnReceipt('READY', 1_000, sums('EXPIRED')), 1_000)
  assert.equal(dueOnReceipt('READY', 1_000, sums('CAPTURED', 1_000, 400)), 400)
  assert.equal(dueOnReceipt('CANCELLED', 1_000, sums('EXPIRED')), 0)
  assert.deepEqual(
    orderStates.map((status) => dueOnReceipt(status, 1_000, sums('OPEN'))),
    orderStates.map((status) => (status === 'PLACED' || status === 'CANCELLED' ? 0 : 1_000)),
    'what is open counts for nothing once it is packed',
  )
  assert.equal(dueOnReceipt('COMPLETED', 1_000, { ...sums('RELEASED'), otherwise: 1_000 }), 0)
})

test('of what was to be paid by card, what nothing was captured of is unpaid until it was paid otherwise', () => {
  for (const state of paymentStates)
    assert.equal(unpaidByCard(1_000, sums(state, 900)), state === 'CAPTURED' ? null : 1_000, state)
  assert.equal(unpaidByCard(1_000, null), null, 'it is paid on receipt')
  assert.equal(unpaidByCard(1_000, { ...sums('OPEN'), otherwise: 1_000 }), null)
  const steps = (state: PaymentState) =>
    nextStep({ state, isOver: false }, { status: 'COMPLETED', total: 1_000, paidOtherwise: true })
  assert.deepEqual(paymentStates.map(steps), ['close', null, 'release', 'refund', null, null, null])
  assert.equal(mayPayByCard('READY', { ...sums('EXPIRED'), otherwise: 1_000 }), false)
  assert.match(
    paymentText('COMPLETED', 1_000, { ...sums('EXPIRED'), otherwise: 1_000 }),
    /^\$10\.00 paid otherwise/,
  )
})

test('a card is taken for times before its authorization ends, from 50 cents', () => {
  const day = 86_400_000
  for (const [total, days, want] of [
    [50, 6, true],
    [49, 6, false],
    [50, 6.001, false],
  ] as const)
    assert.equal(takesCard(cents(total), days * day, 0), want, `${total} cents in ${days} days`)
})

test('a buyer may pay an open payment and one whose hold ended, while the order is not over', () => {
  for (const state of paymentStates)
    assert.deepEqual(
      orderStates.filter((status) => mayPayByCard(status, sums(state))),
      ['OPEN', 'LAPSED', 'EXPIRED'].includes(state) ? ['PLACED', 'PACKED', 'READY', 'SENT'] : [],
      state,
    )
  assert.equal(mayPayByCard('PLACED', null), false)
})

test('what is said of a payment is what happened', () => {
  assert.equal(paymentText('PLACED', 1_000, null), 'When you get it')
  assert.match(paymentText('PLACED', 1_000, sums('AUTHORIZED')), /up to \$11\.00 is held/)
  assert.equal(
    paymentText('PACKED', 1_200, sums('CAPTURED', 1_100)),
    '$11.00 paid by card; $1.00 when you get it',
  )
  assert.match(paymentText('READY', 1_000, sums('EXPIRED')), /not charged.*; \$10\.00 when you get it/)
  assert.equal(paymentText('CANCELLED', 1_000, sums('REFUNDED', 1_000, 1_000)), '$10.00 refunded to the card')
})
