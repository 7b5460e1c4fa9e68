import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fulfilmentKinds,
  isOver,
  mayDo,
  movesFrom,
  type OrderState,
  orderMove,
  orderStates,
  wayAfter,
} from './order-states.ts'

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

test('what may be done in a state is done in these, and nowhere else', () => {
  const where = (act: Parameters<typeof mayDo>[1]) => orderStates.filter((state) => mayDo(state, act))
  assert.deepEqual(where('change the time'), ['PLACED', 'PACKED', 'READY'], 'until it leaves the shop')
  assert.deepEqual(where('replace boxes'), ['PACKED', 'READY'])
  for (const act of ['weigh', 'leave out', 'accept the total'] as const)
    assert.deepEqual(where(act), ['PLACED'], act)
})

test('fish that leaves the shop is asked about, and what is handed out is paid', () => {
  const asking = (need: string) =>
    orderStates.flatMap((from) =>
      orderStates
        .filter((to) => orderMove(from, to)?.needs?.some((name) => name === need))
        .map((to) => `${from} ${to}`),
    )
  assert.deepEqual(asking('fish on sale'), [
    'PLACED PACKED',
    'PACKED READY',
    'PACKED SENT',
    'READY COMPLETED',
  ])
  assert.deepEqual(asking('paid'), ['PACKED SENT', 'READY COMPLETED'])
})

test('after the last state nothing comes; before it, the rest of the way', () => {
  assert.deepEqual(orderStates.filter(isOver), ['COMPLETED', 'CANCELLED'])
  assert.deepEqual(wayAfter('PLACED', 'delivery'), ['PACKED', 'SENT', 'COMPLETED'])
  assert.deepEqual(wayAfter('PACKED', 'pickup'), ['READY', 'COMPLETED'])
  assert.deepEqual(wayAfter('CANCELLED', 'pickup'), [])
})
