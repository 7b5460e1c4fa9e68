import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LabBox, Move, Outcome } from './lab-types.ts'
import { attackGroups, attackWords } from './lab-words.ts'
import { type LabState, nextLab } from './use-lab.ts'

const outcomeOf = (title: string): Outcome => ({
  line: { tone: 'own', alert: 'own', title, message: '' },
  checks: [],
  findings: [],
  moves: [],
  sights: null,
})
const box = { boxID: 'A', species: null, records: 1, choices: {}, outcome: outcomeOf('as it was') } as object
const opened = nextLab({ phase: 'opening' }, { type: 'open', box: box as LabBox })
const titleIn = (state: LabState) => (state.phase === 'open' ? state.outcome.line.title : state.phase)

test('an answer about other moves than those on the bench is late, and is not shown', () => {
  const [one, other]: Move[][] = [[{ attack: 'reading', seq: 3 }], [{ attack: 'reading', seq: 4 }]]
  assert.ok(one && other)
  const moved = nextLab(nextLab(opened, { type: 'move', moves: one }), { type: 'move', moves: other })
  const late = nextLab(moved, { type: 'tried', moves: one, outcome: outcomeOf('of the first') })
  assert.deepEqual([titleIn(late), late.phase === 'open' && late.isChecking], ['as it was', true])
  const now = nextLab(late, { type: 'tried', moves: other, outcome: outcomeOf('of the second') })
  assert.deepEqual([titleIn(now), now.phase === 'open' && now.isChecking], ['of the second', false])
})

test('what failed stays so until it is begun anew', () => {
  const failed = nextLab(opened, { type: 'failed', message: 'no network' })
  assert.equal(titleIn(nextLab(failed, { type: 'move', moves: [] })), 'failed')
  assert.equal(titleIn(nextLab(failed, { type: 'begin' })), 'opening')
})

test('every attack stands on the page once', () => {
  const shown = attackGroups.flatMap(({ attacks }) => attacks)
  assert.deepEqual(shown.toSorted(), Object.keys(attackWords).sort())
})
