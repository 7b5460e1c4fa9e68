import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, type Following, follow, type LiveEvent, retryDelay, standing } from './follow-box.ts'

const after = (...events: LiveEvent[]): Following => events.reduce(follow, begin(0))
const opened: LiveEvent = { type: 'stream', stream: 'live', at: 1 }

test('a read that failed is repeated, later each time, and the page says meanwhile that it is behind', () => {
  const once = after(opened, { type: 'news' }, { type: 'failed' })
  assert.deepEqual([standing(once), once.wanted, once.since, retryDelay(once)], ['behind', 'news', 1, 2_000])
  const often = Array.from({ length: 9 }).reduce<Following>(
    (state) => follow(state, { type: 'failed' }),
    once,
  )
  assert.equal(retryDelay(often), 60_000)
})

test('a read that succeeds makes the page live again, whatever failed before', () => {
  const read = after(
    opened,
    { type: 'news' },
    { type: 'reading', read: 0 },
    { type: 'failed' },
    { type: 'read', at: 5 },
  )
  assert.deepEqual([standing(read), read.wanted, read.since], ['live', null, 5])
})

test('more news, or a connection that is back, is not kept waiting by an earlier failure', () => {
  const failed = [opened, { type: 'news' }, { type: 'failed' }, { type: 'failed' }] as const
  assert.equal(retryDelay(after(...failed, { type: 'news' })), 0)
  const back = after(...failed, { type: 'stream', stream: 'offline', at: 7 }, { ...opened, at: 8 })
  assert.equal(retryDelay(back), 0)
  assert.equal(back.since, 1, 'what it shows is not newer for that')
})

test('a lost stream is said before what could not be read, and doubt asks for the whole page', () => {
  const lost = after(opened, { type: 'doubt' }, { type: 'failed' }, { type: 'stream', stream: 'lost', at: 3 })
  assert.deepEqual([standing(lost), lost.wanted], ['lost', 'whole'])
})

test('news that comes while the page is read is read after it', () => {
  const during = after(opened, { type: 'news' }, { type: 'reading', read: 0 }, { type: 'news' })
  const read = follow(during, { type: 'read', at: 5 })
  assert.deepEqual([read.wanted, read.reads], ['news', 1])
  assert.equal(
    after(opened, { type: 'news' }, { type: 'reading', read: 0 }, { type: 'read', at: 5 }).wanted,
    null,
  )
})
