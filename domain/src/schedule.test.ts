import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MARKET_TIME_ZONE } from './market-time.ts'
import { followed, nextMoment, noSchedule, readSchedule, replanned, type Scheduled } from './schedule.ts'

const timeZone = MARKET_TIME_ZONE
const now = Date.parse('2026-11-27T05:00:00Z') // 16:00 in Sydney
const six = '2026-11-27T07:00:00.000Z'
const at = (iso: string): number => Date.parse(iso)

const row: Scheduled = { status: 'ACTIVE', discount: 5, priceCents: 3_000, schedule: noSchedule }
const plan = (change: Parameters<typeof readSchedule>[0], when = now) =>
  readSchedule(change, { now: when, timeZone })

test('moments are market time or RFC 3339; what is none, over, in the wrong order or too far is refused by its path', () => {
  const markdown = { percent: 20, from: null, until: '2026-11-27 18:00' }
  assert.deepEqual(plan({ markdown }).plan.markdown, { ...markdown, until: six, before: null })
  assert.deepEqual(plan({ markdown: { ...markdown, until: '2026-11-27T18:00+11:00' } }).wrong.length, 1)
  assert.equal(
    plan({ markdown: { ...markdown, until: '2026-11-27T18:00:00+11:00' } }).plan.markdown?.until,
    six,
  )
  const wrong = (from: string | null, until: string | null) =>
    plan({ markdown: { percent: 20, from, until } }).wrong
  const until = 'schedule.markdown.until'
  assert.deepEqual(wrong('2026-11-27 19:00', '2026-11-27 18:00'), [
    { path: until, message: 'must be after the start' },
  ])
  assert.deepEqual(wrong(null, '2026-11-27 16:00'), [{ path: until, message: 'is over already' }])
  assert.deepEqual(wrong(null, null), [{ path: until, message: 'say when it starts or ends' }])
  assert.deepEqual(wrong('tomorrow', null)[0]?.path, 'schedule.markdown.from')
  assert.deepEqual(wrong(null, '2029-01-01 00:00'), [{ path: until, message: 'must be within two years' }])
  assert.deepEqual(plan({ sale: { from: '2026-11-29 10:00', until: '2026-11-28 10:00' } }).wrong, [
    { path: 'schedule.sale.until', message: 'must be after the start' },
  ])
  assert.equal(plan({ sale: { from: '', until: '' } }).plan.sale, null)
})

test('over the change of clocks: a skipped hour is refused, of a doubled one the first counts and an offset names the second', () => {
  const spring = Date.parse('2026-10-01T00:00:00Z')
  assert.deepEqual(plan({ sale: { from: '2026-10-04 02:30', until: null } }, spring).wrong, [
    {
      path: 'schedule.sale.from',
      message: 'must be a time that exists: the clocks go forward over this one',
    },
  ])
  const across = plan({ sale: { from: '2026-10-04 01:30', until: '2026-10-04 03:30' } }, spring).plan.sale
  assert.equal(at(across?.until ?? '') - at(across?.from ?? ''), 3_600_000, 'an hour, not two')
  const autumn = Date.parse('2027-04-01T00:00:00Z')
  const twice = plan({ sale: { from: '2027-04-04 02:30', until: '2027-04-04T02:30:00+10:00' } }, autumn)
  assert.deepEqual(twice.wrong, [])
  assert.equal(at(twice.plan.sale?.until ?? '') - at(twice.plan.sale?.from ?? ''), 3_600_000)
})

test('a markdown starts at once or at its moment, and the discount from before it comes back; late and twice alike', () => {
  const begun = replanned(row, plan({ markdown: { percent: 20, from: null, until: six } }).plan, now)
  assert.deepEqual([begun.discount, begun.schedule.markdown?.before], [20, 5])
  assert.deepEqual(followed(begun, at(six) - 1), begun)
  const over = followed(begun, at(six))
  assert.deepEqual([over.discount, over.schedule], [5, noSchedule])
  assert.deepEqual(followed(over, at(six) + 1), over)

  const later = replanned(
    row,
    plan({ markdown: { percent: 20, from: '2026-11-27 17:00', until: six } }).plan,
    now,
  )
  assert.deepEqual([later.discount, nextMoment(later.schedule)], [5, new Date('2026-11-27T06:00:00Z')])
  const started = followed(later, at('2026-11-27T06:00:00Z'))
  assert.deepEqual([started.discount, nextMoment(started.schedule)], [20, new Date(six)])
  assert.deepEqual(followed(later, at(six) + 60_000), over, 'what was over before anybody looked never was')
  const endless = replanned(
    row,
    plan({ markdown: { percent: 20, from: '2026-11-27 17:00', until: null } }).plan,
    now,
  )
  assert.deepEqual(followed(endless, at(six)), { ...row, discount: 20 })
})

test('a markdown that is removed or changed after it began begins from the price before it; a discount set by hand stays', () => {
  const begun = replanned(row, plan({ markdown: { percent: 20, from: null, until: six } }).plan, now)
  assert.deepEqual(replanned(begun, { markdown: null }, now + 1), row)
  const more = replanned(begun, plan({ markdown: { percent: 30, from: null, until: six } }).plan, now + 1)
  assert.deepEqual([more.discount, more.schedule.markdown?.before], [30, 5])
  assert.deepEqual(
    replanned(begun, plan({ markdown: { percent: 20, from: null, until: six } }).plan, now + 1),
    begun,
  )
  const byHand = { ...begun, discount: 50 }
  assert.equal(followed(byHand, at(six)).discount, 50)
  assert.equal(replanned(byHand, { markdown: null }, now + 1).discount, 50)
  const together = replanned({ ...begun, discount: 20 }, { markdown: null }, now + 1, true)
  assert.equal(together.discount, 20, 'set in the same change, also to the very percentage')
  const { markdown } = plan({ markdown: { percent: 20, from: null, until: six } }).plan
  assert.deepEqual(replanned(byHand, { sale: null, markdown: markdown ?? null }, now + 1, true), byHand)
})

test('what is INACTIVE goes on sale and off again; DISABLED and what costs nothing does not; late, both cancel out', () => {
  const draft: Scheduled = { ...row, status: 'INACTIVE' }
  const sale = plan({ sale: { from: '2026-11-27 17:00', until: '2026-11-28 17:00' } }).plan
  const planned = replanned(draft, sale, now)
  assert.equal(planned.status, 'INACTIVE')
  const on = followed(planned, at('2026-11-27T06:00:00Z'))
  assert.deepEqual([on.status, nextMoment(on.schedule)], ['ACTIVE', new Date('2026-11-28T06:00:00Z')])
  const off = followed(on, at('2026-11-28T06:00:00Z'))
  assert.deepEqual([off.status, off.schedule], ['INACTIVE', noSchedule])
  assert.deepEqual(followed(planned, at('2026-11-29T00:00:00Z')), off)
  for (const other of [
    { ...planned, status: 'DISABLED' as const },
    { ...planned, priceCents: 0 },
  ])
    assert.equal(followed(other, at('2026-11-27T06:00:00Z')).status, other.status)
})
