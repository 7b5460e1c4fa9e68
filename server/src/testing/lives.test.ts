import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { edgeOf, type Life, NEW, statesOf } from '@befaqt/domain/life'
import { orderLife } from '@befaqt/domain/order-states'
import { paymentLife } from '@befaqt/domain/payment'
import fc from 'fast-check'
import { excursionLife } from '#server/excursions/excursion-changes.ts'
import { lives, livesFile, livesPage } from './lives.ts'

/** Whose moves are looked up by the state that they lead to. */
const byTheirEnd: readonly Life[] = [orderLife, paymentLife, excursionLife]

test('docs/lives.md is what the tables say', () => {
  assert.equal(readFileSync(livesFile, 'utf8'), livesPage(), 'npm run docs:lives draws it anew')
})

for (const { name, table } of lives) {
  const states = [...(NEW in table ? [NEW] : []), ...statesOf(table)]
  const edges = states.flatMap((state) => Object.entries(table[state] ?? {}))
  const actions = [...new Set(edges.map(([action]) => action))]
  const roles = [...new Set(edges.flatMap(([, { by }]) => by))]

  test(`${name}: whatever anybody tries, it goes along its edges, and nothing leads back to its beginning`, () => {
    const attempts = fc.array(
      fc.record({ action: fc.constantFrom(...actions), by: fc.constantFrom(...roles) }),
      {
        maxLength: 60,
      },
    )
    fc.assert(
      fc.property(attempts, (all) => {
        let state = states[0] ?? NEW
        for (const { action, by } of all) {
          const listed = table[state]?.[action]
          const edge = edgeOf(table, state, action, by)
          assert.equal(edge, listed?.by.includes(by) ? listed : undefined)
          assert.notEqual(edge?.to, NEW)
          state = edge?.to ?? state
          assert.ok(states.includes(state), state)
        }
      }),
    )
  })

  test(`${name}: every state is reached, and where moves are asked for by their end, by one edge from another`, () => {
    const reached = new Set(states.slice(0, 1))
    for (const state of reached) for (const { to } of Object.values(table[state] ?? {})) reached.add(to)
    assert.deepEqual([...reached].sort(), [...states].sort())
    if (!byTheirEnd.includes(table)) return
    for (const state of states.filter((one) => one !== NEW)) {
      const ends = Object.values(table[state] ?? {}).flatMap(({ to }) => (to === state ? [] : [to]))
      assert.deepEqual(ends, [...new Set(ends)], state)
    }
  })
}
