import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoxState } from '#server/boxes/projection/box-state.ts'
import { BoxStateCache, type CachedState } from './box-state-cache.ts'

const market = { name: 'Market', timeZone: 'Australia/Sydney', latitude: -33, longitude: 151 }
const facts = { trader: 'T', catchProv: null, catchPlace: null, probes: [] }
const stateWith = (readings: number): BoxState => {
  const state = new BoxState({ ...facts, submittedScore: null, imageScore: null, noseScore: null }, market)
  const reading = { iotID: 'L-1', latitude: -33, longitude: 151, temperature: 2 }
  const time = (i: number): string => new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString()
  state.addReadings(Array.from({ length: readings }, (_, i) => ({ ...reading, time: time(i) })))
  return state
}
const boxOf = (head: string, readings = 2): CachedState => ({
  head,
  count: readings,
  alterations: 0,
  state: stateWith(readings),
})

test('a box is cached with its newest head until it is evicted', () => {
  const memory = new BoxStateCache()
  memory.set('A', boxOf('h1'))
  assert.equal(memory.get('A')?.head, 'h1')
  assert.equal(memory.get('B'), undefined)
  memory.set('A', boxOf('h2'))
  assert.equal(memory.get('A')?.head, 'h2')
  memory.delete('A')
  assert.equal(memory.get('A'), undefined)
})

test('the boxes written longest ago are evicted when the cache is full', () => {
  const memory = new BoxStateCache(3.5 * stateWith(1_000).bytes)
  for (const id of ['A', 'B', 'C']) memory.set(id, boxOf(id, 1_000))
  memory.set('A', boxOf('A', 1_001))
  const remembered = () => ['A', 'B', 'C', 'D', 'E'].filter((id) => memory.get(id) !== undefined)
  assert.deepEqual(remembered(), ['A', 'B', 'C'])
  memory.set('D', boxOf('D', 1_000))
  assert.deepEqual(remembered(), ['A', 'C', 'D'], 'B was written first')
  memory.set('E', boxOf('E', 10_000))
  assert.deepEqual(remembered(), [], 'one that fills it alone is not kept')
})

test('100,000 readings take less than 8 MB, so that one box does not evict all others', () => {
  const { bytes } = stateWith(100_000)
  assert.ok(bytes > 100_000 * 40 && bytes < 8e6, `${bytes}`)
})

test('concurrent loads of a box share one query, and the next one queries again', async () => {
  const memory = new BoxStateCache()
  const loading = Promise.withResolvers<void>()
  let loads = 0
  const load = (): Promise<void> => {
    loads++
    return loading.promise
  }
  const all = [1, 2, 3].map(() => memory.loadOnce('A', load))
  loading.resolve()
  await Promise.all(all)
  assert.equal(loads, 1)
  await assert.rejects(
    memory.loadOnce('A', () => Promise.reject(new Error('no database'))),
    /no database/,
  )
  await memory.loadOnce('A', load)
  assert.equal(loads, 2)
})
