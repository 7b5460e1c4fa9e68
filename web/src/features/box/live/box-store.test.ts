import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { BoxStore, type BoxWorld } from './box-store.ts'
import type { LiveListener } from './box-stream.ts'

/** Longer than any wait before a read that nothing failed before. */
const SOON_MS = 2_000

/** A page of so many records: all that a store compares is which one it is. */
type TestPage = { records: number }

const pages = new Map<number, TestPage>()
function page(records: number): TestPage {
  const made = pages.get(records) ?? { records }
  pages.set(records, made)
  return made
}

beforeEach(() => mock.timers.reset())

/** An open page of one record whose check has ended, and the world that it listens to. */
function openPage() {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1 })
  const asked: [records: number, wanted: string][] = []
  const shown: TestPage[] = []
  let answer: () => Promise<TestPage> = async () => page(2)
  let hear: LiveListener | undefined
  const world: BoxWorld<TestPage> = {
    listen: (listener) => {
      hear = listener
      return () => {
        hear = undefined
      }
    },
    read: ({ records }, wanted) => {
      asked.push([records, wanted])
      return answer()
    },
    shownEvent: ({ records }) => `${records}-none`,
    words: (before, after) =>
      after.records > before.records ? `${before.records} to ${after.records}.` : '',
  }
  const store = new BoxStore(page(1), world)
  const close = store.follow((view) => {
    shown.push(view)
    store.shows(view, 'running')
  })
  store.shows(page(1), 'ended')
  return {
    store,
    asked,
    shown,
    close,
    heard: () => {
      if (hear === undefined) throw new Error('nobody listens')
      return hear
    },
    isHeard: () => hear !== undefined,
    answers: (next: () => Promise<TestPage>) => {
      answer = next
    },
    /** Lets time pass, and what was begun in it end. */
    wait: async (ms: number) => {
      mock.timers.tick(ms)
      for (let i = 0; i < 9; i += 1) await Promise.resolve()
    },
  }
}

const fails = () => Promise.reject(new Error('no line'))

test('news that come together are read once, told and shown', async () => {
  const { store, asked, shown, heard, wait } = openPage()
  heard().onState('live')
  heard().onNews()
  heard().onNews()
  await wait(SOON_MS)
  assert.deepEqual(asked, [[1, 'news']])
  assert.deepEqual([shown, store.state().news, store.state().standing], [[page(2)], '1 to 2.', 'live'])
  assert.equal(heard().shown(), '2-none', 'the stream goes on from what is shown')
})

test('a page whose check is running is left to it, and read when that has ended', async () => {
  const { store, asked, heard, wait } = openPage()
  store.shows(page(1), 'running')
  heard().onNews()
  await wait(60_000)
  assert.deepEqual(asked, [])
  store.shows(page(1), 'ended')
  await wait(SOON_MS)
  assert.deepEqual(asked, [[1, 'news']])
})

test('a read that failed is repeated, later each time, and the page says meanwhile that it is behind', async () => {
  const { store, asked, shown, heard, answers, wait } = openPage()
  heard().onState('live')
  answers(fails)
  heard().onNews()
  await wait(SOON_MS)
  assert.deepEqual([store.state().standing, store.state().since, asked.length], ['behind', 1, 1])
  await wait(2_000)
  assert.equal(asked.length, 1, 'not before two seconds and the usual wait')
  for (let failures = 1; failures < 9; failures += 1) await wait(80_000)
  const often = asked.length
  assert.ok(often >= 8, `read ${often} times`)
  await wait(59_000)
  assert.ok(asked.length <= often + 1, 'once a minute at most')
  answers(async () => page(2))
  await wait(90_000)
  assert.deepEqual([store.state().standing, shown], ['live', [page(2)]])
})

test('more news, or a connection that is back, is not kept waiting by an earlier failure', async () => {
  const { store, asked, heard, answers, wait } = openPage()
  heard().onState('live')
  answers(fails)
  heard().onNews()
  await wait(SOON_MS)
  await wait(20_000)
  const before = asked.length
  heard().onNews()
  await wait(8_000) // the spread grows with failures, the delay is none
  assert.ok(asked.length > before)
  heard().onState('offline')
  assert.equal(store.state().standing, 'offline')
  heard().onState('live')
  assert.equal(store.state().since, 1, 'what it shows is not newer for that')
  const back = asked.length
  await wait(8_000)
  assert.ok(asked.length > back)
})

test('a lost stream is said before what could not be read', async () => {
  const { store, heard, answers, wait } = openPage()
  heard().onState('live')
  answers(fails)
  heard().onNews()
  await wait(SOON_MS)
  heard().onState('lost')
  assert.equal(store.state().standing, 'lost')
})

test('a page of news that differs from the records is read whole, once', async () => {
  const { store, asked, shown, heard, answers, wait } = openPage()
  heard().onNews()
  await wait(SOON_MS)
  answers(async () => page(3))
  store.shows(page(2), 'differs')
  store.shows(page(2), 'differs')
  await wait(SOON_MS)
  assert.deepEqual(asked, [
    [1, 'news'],
    [2, 'whole'],
  ])
  assert.deepEqual(shown, [page(2), page(3)])
  assert.equal(store.state().news, '1 to 3.', 'told from what was shown before the news')
  store.shows(page(3), 'differs')
  await wait(60_000)
  assert.equal(asked.length, 2, 'a whole page is not read again')
})

test('news that comes while the page is read is read after it', async () => {
  const { store, asked, heard, answers, wait } = openPage()
  const { promise, resolve: arrive } = Promise.withResolvers<TestPage>()
  answers(() => promise)
  heard().onNews()
  await wait(SOON_MS)
  heard().onNews()
  arrive(page(2))
  await wait(0)
  answers(async () => page(3))
  store.shows(page(2), 'ended')
  await wait(SOON_MS)
  assert.deepEqual(asked, [
    [1, 'news'],
    [2, 'news'],
  ])
})

test('a page that was left listens no more, reads nothing and shows nothing', async () => {
  const { asked, shown, heard, isHeard, answers, close, wait } = openPage()
  const { promise, resolve: arrive } = Promise.withResolvers<TestPage>()
  answers(() => promise)
  heard().onNews()
  await wait(SOON_MS)
  close()
  assert.equal(isHeard(), false)
  arrive(page(2))
  await wait(60_000)
  assert.deepEqual([asked.length, shown], [1, []])
})

test('readers are told when what is said changes, and not for what changes nothing', async () => {
  const { store, heard, wait } = openPage()
  let told = 0
  const end = store.subscribe(() => {
    told += 1
  })
  heard().onState('live')
  heard().onNews()
  assert.equal(told, 1)
  await wait(SOON_MS)
  assert.equal(told, 2)
  end()
  heard().onState('lost')
  assert.equal(told, 2)
})
