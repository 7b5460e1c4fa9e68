import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SummaryResult } from '@befaqt/provenance/verify-summary'
import { freshnessSaid } from './freshness-words.ts'

const log: SummaryResult['log'] = {
  state: 'no_policy',
  origin: 'fish.example/befaqt/log',
  k: 0,
  n: 0,
  by: [],
  upTo: 7,
  time: '2026-11-24T04:05:00Z',
}
const freshness = { seq: 5, at: '2026-11-24 15:00:00', index: 0.6, isRecalled: false }
const proven: SummaryResult = { verdict: 'proven', code: null, detail: '', freshness, log }
const day = { today: '2026-11-24', timeZone: 'Australia/Sydney' }

const saidOf = (result: Partial<SummaryResult>, shown: number | null = 4, when = day) =>
  freshnessSaid({ kind: 'checked', result: { ...proven, ...result } }, shown, when)
const under = (state: SummaryResult['log']['state']) => saidOf({ log: { ...log, state, k: 2, n: 3 } })

test('what only the shop’s log vouches for is never more than its own, and says up to when', () => {
  assert.deepEqual(saidOf({}), {
    tone: 'own',
    text: 'Stars checked to 3:05 pm by the shop’s log; we asked nobody else',
  })
  const later = { ...day, today: '2026-11-25' }
  assert.match(saidOf({}, 4, later).text, /^Stars checked to 24 Nov, 3:05 pm by/)
  for (const [state, words] of [
    ['missed', /2 of 3 witnesses signed$/],
    ['stale', /witnesses signed over a day ago$/],
    ['other_log', /your policy names another log$/],
  ] as const) {
    assert.equal(under(state).tone, 'own')
    assert.match(under(state).text, words)
  }
  assert.deepEqual(under('witnessed'), { tone: 'good', text: 'Stars checked to 3:05 pm, witnessed 2 of 3' })
})

test('other stars than the records have, a recall, and what proves nothing are said in the place of the stars', () => {
  assert.deepEqual(saidOf({}, 5), {
    tone: 'warn',
    text: 'Shown with 5 stars; its records have 4 of 5, to 3:05 pm. Reload the page.',
  })
  assert.match(saidOf({}, null).text, /^Drawn with other stars than named; its records have 4 of 5/)
  assert.match(saidOf({ freshness: { ...freshness, index: 1 } }, 5).text, /its records have none, to/)
  const witnessed = { ...log, state: 'witnessed' as const, k: 2, n: 3 }
  assert.equal(saidOf({ log: witnessed }, 5).tone, 'warn', 'whoever signed it')
  assert.equal(saidOf({ log: witnessed, freshness: { ...freshness, isRecalled: true } }).tone, 'bad')
  const broken = saidOf({ verdict: 'broken', code: 'head_mismatch', freshness: null })
  assert.deepEqual(broken, {
    tone: 'bad',
    text: 'Freshness not shown: what the shop sent does not prove it.',
  })
})

test('where there is no proof, or no connection, it stays the shop’s word', () => {
  assert.deepEqual(freshnessSaid({ kind: 'none' }, 4, day), { tone: 'shop', text: '' })
  assert.deepEqual(freshnessSaid({ kind: 'unreached' }, 4, day), {
    tone: 'shop',
    text: '; not checked: no connection',
  })
})

test('no words are longer than the room that cards have for them', () => {
  const texts = [
    saidOf({}, 4, { ...day, today: '' }),
    under('missed'),
    under('stale'),
    under('witnessed'),
    saidOf({}, 5, { ...day, today: '' }),
    saidOf({ freshness: null }),
  ]
  for (const { text } of texts) assert.ok(text.length <= 84, `${text.length}: ${text}`)
})
