import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fulfilmentKinds, mayChangeSlot, movesFrom, type OrderState, orderStates } from './order-states.ts'

test('an order goes from placed to completed, as it is fulfilled', () => {
  const ways = (kind: 'pickup' | 'delivery', from: OrderState, way: string): string[] => {
    const next = movesFrom(from, kind, 'shop')
    return next.length === 0 ? [way] : next.flatMap((to) => ways(kind, to, `${way} ${to}`))
  }
  assert.deepEqual(ways('pickup', 'PLACED', 'PLACED').sort(), [
    'PLACED CANCELLED',
    'PLACED PACKED CANCELLED',
    'PLACED PACKED READY CANCELLED',
    'PLACED PACKED READY COMPLETED',
  ])
  assert.deepEqual(ways('delivery', 'PLACED', 'PLACED').sort(), [
    'PLACED CANCELLED',
    'PLACED PACKED CANCELLED',
    'PLACED PACKED SENT COMPLETED',
  ])
})

test('a buyer cancels what is not packed, and nothing else', () => {
  for (const kind of fulfilmentKinds)
    for (const state of orderStates)
      assert.deepEqual(movesFrom(state, kind, 'buyer'), state === 'PLACED' ? ['CANCELLED'] : [], state)
})

test('a slot may change until the order leaves the shop', () => {
  assert.deepEqual(orderStates.filter(mayChangeSlot), ['PLACED', 'PACKED', 'READY'])
})
