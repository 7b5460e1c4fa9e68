import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { BoxMemory } from './box-memory.ts'

const boxWith = (boxID: string, readings: number) => {
  const box = sampleBox()
  const [reading] = box.iotResult?.iotTracking ?? []
  if (box.iotResult === null || reading === undefined) throw new Error('the sample box has readings')
  return { ...box, boxID, iotResult: { ...box.iotResult, iotTracking: Array(readings).fill(reading) } }
}

test('a box is remembered while its head is the one it was kept with', () => {
  const memory = new BoxMemory()
  const box = boxWith('A', 2)
  memory.keep('h1', box)
  assert.equal(memory.of({ id: 'A', head: 'h1' }), box)
  assert.equal(memory.of({ id: 'A', head: 'h2' }), undefined)
  assert.equal(memory.of({ id: 'B', head: 'h1' }), undefined)
  memory.keep('h2', box)
  assert.equal(memory.of({ id: 'A', head: 'h1' }), undefined)
  assert.equal(memory.of({ id: 'A', head: 'h2' }), box)
})

test('the boxes written longest ago are forgotten when it is full', () => {
  const memory = new BoxMemory()
  for (const id of ['A', 'B', 'C']) memory.keep(id, boxWith(id, 30_000))
  memory.keep('A', boxWith('A', 30_001))
  const remembered = (): string[] =>
    ['A', 'B', 'C', 'D', 'E'].filter((id) => memory.of({ id, head: id }) !== undefined)
  assert.deepEqual(remembered(), ['A', 'B', 'C'])
  memory.keep('D', boxWith('D', 30_000))
  assert.deepEqual(remembered(), ['A', 'C', 'D'], 'B was written first')
  memory.keep('E', boxWith('E', 200_000))
  assert.deepEqual(remembered(), [], 'one that fills it alone is not kept')
})
