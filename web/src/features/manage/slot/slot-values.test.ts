import assert from 'node:assert/strict'
import test from 'node:test'
import { daysText, postcodeRanges, RuleForm, ruleStart, slotForm, slotPatchForm } from './slot-values.ts'

const timeZone = 'Australia/Sydney'
const typed = { kind: 'delivery', from: '10:00', to: '13:00', capacity: '1,200', cutOffMinutes: '1.5' }

test('a rule is what was ticked and typed', () => {
  assert.deepEqual(RuleForm.parse({ ...typed, Sun: 'on', Mon: 'on', area: '2009, 2000\n2010' }), {
    kind: 'delivery',
    weekdays: [1, 7],
    from: '10:00',
    to: '13:00',
    area: ['2009', '2000', '2010'],
    capacity: 1_200,
    cutOffMinutes: 90,
  })
  assert.equal(RuleForm.parse({ ...typed, kind: 'pickup', Tue: 'on', area: '2000' }).area, undefined)
  const issues = RuleForm.safeParse({ ...typed, area: '', cutOffMinutes: 'two' }).error?.issues ?? []
  assert.deepEqual(issues.map(({ path }) => path[0]).sort(), ['area', 'cutOffMinutes', 'weekdays'])
})

test('a rule that is edited begins with what it is', () => {
  const rule = { _id: 'r', kind: 'delivery', weekdays: [2], from: '10:00', to: '13:00', timeZone } as const
  const start = ruleStart({
    ...rule,
    weekdays: [2],
    area: ['2000', '2009'],
    capacity: 4,
    cutOffMinutes: 90,
    version: 1,
  })
  assert.deepEqual([start.area, start.cutOffMinutes, [...start.weekdays]], ['2000 2009', '1.5', [2]])
})

test('postcodes are typed as ranges, shown as ranges, and sent one by one', () => {
  const rule = { ...typed, Tue: 'on' }
  const sent = RuleForm.parse({ ...rule, area: '2000 2007-2009, 0800' }).area
  assert.deepEqual(sent, ['2000', '2007', '2008', '2009', '0800'])
  assert.deepEqual(postcodeRanges(['2050', '2008', '2000', '2007', '2009', '2009', '0800', '2037', '2038']), [
    '0800',
    '2000',
    '2007–2009',
    '2037',
    '2038',
    '2050',
  ])
  for (const area of ['2009-2007', '0000-9999', '2007-', '20-2010'])
    assert.ok(!RuleForm.safeParse({ ...rule, area }).success, area)
})

test('days are said as people say them', () => {
  const said = [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6], [2, 3], [1, 3, 6], [7]].map(daysText)
  assert.deepEqual(said, ['Every day', 'Mon to Sat', 'Tue, Wed', 'Mon, Wed, Sat', 'Sun'])
})

test('times of one slot are those of the market', () => {
  const slot = { ...typed, kind: 'pickup', day: '2026-11-24', cutOffAt: '2026-11-24T09:00' }
  const { startsAt, endsAt, cutOffAt } = slotForm(timeZone).parse(slot)
  assert.deepEqual(
    [startsAt, endsAt, cutOffAt],
    ['2026-11-23T23:00:00.000Z', '2026-11-24T02:00:00.000Z', '2026-11-23T22:00:00.000Z'],
  )
  const missing = slotForm(timeZone).safeParse({ ...slot, day: '' }).error?.issues ?? []
  assert.ok(missing.some(({ path }) => path[0] === 'startsAt'))
  assert.equal(
    slotPatchForm(timeZone).parse({ capacity: '5', cutOffAt: slot.cutOffAt, closed: 'on' }).closed,
    true,
  )
})
