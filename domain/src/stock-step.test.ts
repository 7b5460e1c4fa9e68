import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stockStep } from './stock-step.ts'

test('a stock is known exactly below 20, and in steps of at most a tenth from 100 on', () => {
  for (const [stock, step] of [
    [0, 0],
    [1, 1],
    [19, 19],
    [20, 20],
    [29, 20],
    [99, 90],
    [100, 100],
    [109, 100],
    [1_000, 1_000],
    [1_099, 1_000],
    [1_000_000, 1_000_000],
  ] as const)
    assert.equal(stockStep(stock), step, String(stock))
  for (let stock = 0; stock < 20_000; stock++) {
    assert.ok(stockStep(stock) <= stock)
    if (stock >= 100) assert.ok(stock - stockStep(stock) < stock / 10, String(stock))
  }
})
