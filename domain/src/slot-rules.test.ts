import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marketTime } from './market-time.ts'
import { dueSlots, SLOT_DAYS, SlotRuleInput, slotOn } from './slot-rules.ts'

const timeZone = 'Australia/Sydney'
const daily = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '10:00', timeZone, cutOffMinutes: 60 }
const none: ReadonlySet<string> = new Set()

test('a slot is on its days of the week, at its hours in its zone', () => {
  const mondays = { ...daily, weekdays: [1] }
  assert.equal(slotOn(mondays, '2026-11-24'), null, 'a Tuesday')
  const slot = slotOn(mondays, '2026-11-23')
  assert.deepEqual(
    [slot?.startsAt, slot?.endsAt, slot?.cutOffAt].map((at) => new Date(at ?? 0).toISOString()),
    ['2026-11-22T21:00:00.000Z', '2026-11-22T23:00:00.000Z', '2026-11-22T20:00:00.000Z'],
  )
  assert.notEqual(slotOn({ ...daily, weekdays: [7] }, '2026-11-29'), null, 'Sunday is 7')
})

for (const [day, from, to, hours] of [
  ['2026-10-04', '01:00', '04:00', 2],
  ['2027-04-04', '01:00', '04:00', 4],
  ['2026-10-04', '08:00', '10:00', 2],
] as const)
  test(`${from} to ${to} of ${day} is ${hours} hours long in Sydney`, () => {
    const slot = slotOn({ ...daily, from, to }, day)
    assert.equal(((slot?.endsAt ?? 0) - (slot?.startsAt ?? 0)) / 3_600_000, hours)
  })

test('hours that daylight saving skips give a later slot, or none where it would end before it starts', () => {
  const shifted = slotOn({ ...daily, from: '02:00', to: '02:30' }, '2026-10-04')
  assert.equal(marketTime(shifted?.startsAt ?? 0, timeZone), '2026-10-04 03:00:00')
  assert.equal(slotOn({ ...daily, from: '02:30', to: '03:15' }, '2026-10-04'), null)
})

test('slots begin after now, skip closed days and reach as far as they should', () => {
  const now = Date.parse('2026-11-23T00:00:00Z') // 11:00 on Monday in Sydney
  const due = dueSlots(daily, { today: '2026-11-23', now, closed: new Set(['2026-11-25']) })
  assert.deepEqual(
    due.slice(0, 2).map(({ day }) => day),
    ['2026-11-24', '2026-11-26'],
  )
  assert.equal(due.length, SLOT_DAYS - 2)
})

test('on every day of ten years a slot at opening hours starts at that hour, each day once', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2024-01-01'), max: new Date('2034-01-01'), noInvalidDate: true }),
      fc.constantFrom('Australia/Sydney', 'Europe/Dublin', 'America/St_Johns', 'Asia/Kathmandu', 'UTC'),
      (date, zone) => {
        const today = date.toISOString().slice(0, 10)
        const due = dueSlots({ ...daily, timeZone: zone }, { today, now: 0, closed: none })
        assert.equal(new Set(due.map(({ startsAt }) => startsAt)).size, SLOT_DAYS)
        for (const { day, startsAt } of due) assert.equal(marketTime(startsAt, zone), `${day} 08:00:00`)
      },
    ),
  )
})

test('a rule says which of its fields is wrong', () => {
  const rule = { kind: 'pickup', weekdays: [1], from: '08:00', to: '10:00', capacity: 5, cutOffMinutes: 60 }
  assert.ok(SlotRuleInput.safeParse(rule).success)
  for (const [bad, path] of [
    [{ weekdays: [] }, 'weekdays'],
    [{ weekdays: [8] }, 'weekdays.0'],
    [{ from: '8:00' }, 'from'],
    [{ from: '24:00' }, 'from'],
    [{ to: '08:00' }, 'to'],
    [{ capacity: 0 }, 'capacity'],
    [{ cutOffMinutes: -1 }, 'cutOffMinutes'],
    [{ kind: 'delivery' }, 'area'],
    [{ kind: 'delivery', area: ['20000'] }, 'area.0'],
    [{ area: ['2000'] }, 'area'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ colour: 'blue' }, ''],
  ] as const) {
    const issues = SlotRuleInput.safeParse({ ...rule, ...bad }).error?.issues ?? []
    assert.ok(
      issues.some((issue) => issue.path.join('.') === path),
      `${JSON.stringify(bad)}: ${JSON.stringify(issues)}`,
    )
  }
})
