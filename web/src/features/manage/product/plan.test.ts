import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planIn, planNames, planText, typedPlan, usualEnds } from './plan.ts'

const zone = 'Australia/Sydney'
const schedule = {
  sale: { from: '2026-11-27T20:00:00.000Z', until: null },
  markdown: { from: null, until: '2026-11-27T07:00:00.000Z', percent: 20, before: 5 },
}

test('a plan is typed and told in market time, alike as the shop and the form have it', () => {
  const typed = typedPlan(schedule, zone)
  assert.deepEqual(typed, {
    sale: { from: '2026-11-28T07:00', until: null },
    markdown: { from: null, until: '2026-11-27T18:00', percent: 20 },
  })
  const words = 'on sale from Sat 28 Nov, 7:00 am; 20%off until Fri 27 Nov, 6:00 pm'
  for (const plan of [schedule, typed]) assert.equal(planText(plan, zone), words)
  assert.equal(planText({ sale: null, markdown: null }, zone), 'none')
})

test('fields of a form that are empty plan nothing; a percentage alone is a markdown, for the shop to refuse', () => {
  assert.deepEqual(planIn({}), { sale: null, markdown: null })
  const empty = Object.fromEntries(Object.values(planNames).map((name) => [name, ' ']))
  assert.deepEqual(planIn(empty), { sale: null, markdown: null })
  assert.deepEqual(planIn({ [planNames.percent]: '20', [planNames.until]: '2026-11-27T18:00' }), {
    sale: null,
    markdown: { percent: 20, from: null, until: '2026-11-27T18:00' },
  })
  assert.deepEqual(planIn({ [planNames.percent]: 'a fifth' }).markdown?.percent, 'a fifth')
})

test('six is that of today until it strikes, over the change of clocks too', () => {
  const first = (now: string) => usualEnds(Date.parse(now), zone)[0]
  assert.deepEqual(first('2026-11-27T06:00:00Z'), { value: '2026-11-27 18:00', label: 'six today' })
  assert.deepEqual(first('2026-11-27T07:00:00Z'), { value: '2026-11-28 00:00', label: 'midnight' })
  assert.equal(first('2026-10-03T15:30:00Z')?.value, '2026-10-04 18:00')
})
