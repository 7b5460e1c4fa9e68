import assert from 'node:assert/strict'
import test from 'node:test'
import { RuleForm, ruleStart, slotForm, slotPatchForm } from './slot-values.ts'

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
