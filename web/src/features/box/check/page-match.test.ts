import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordsOfBox } from '@befaqt/domain/box-records'
import { anyBox } from '@befaqt/domain/testing/boxes'
import fc from 'fast-check'
import { bundleOf, honestPage, market, payloads } from '../testing/honest-page.ts'
import { differenceText } from './failure-reasons.ts'
import type { ProvablePage } from './page-match.ts'
import { matchPage } from './page-match.ts'

const world = bundleOf(payloads, '0345579444')
const matchOf = (view: ProvablePage, { bundle, result } = world) =>
  matchPage({ view, market }, bundle, result)

/** What is said of a page, most important first. */
function toldOf(view: ProvablePage): string[] {
  const match = matchOf(view)
  assert.equal(match.kind, 'differs')
  return match.kind === 'differs'
    ? match.differences.map((one) => differenceText(one, view.records).text)
    : []
}

test('an honest page matches, also with withheld records and before its anchors came', () => {
  assert.deepEqual(matchOf(honestPage(world)), { kind: 'same' })
  const withheld = bundleOf(
    payloads.map((payload, i) => (i === 8 || i === 10 ? null : payload)),
    '0345579444',
  )
  assert.deepEqual(matchOf(honestPage(withheld), withheld), { kind: 'same' })
  const page = honestPage(world)
  for (const row of page.records.slice(5))
    Object.assign(row, { state: 'pending', txHash: null, anchorIndex: null, anchoredAt: null })
  for (const list of [
    page.box.imageProc,
    page.box.e_nose,
    page.box.freshness,
    page.box.iotResult?.iotTracking.slice(2) ?? [],
  ])
    for (const one of list) Object.assign(one, { txHash: null })
  assert.deepEqual(matchOf(page), { kind: 'same' })
})

test('any box matches what an honest server shows of it', () => {
  fc.assert(
    fc.property(anyBox, (box) => {
      const all = recordsOfBox(box, { at: '2026-11-18T00:00:00Z', by: 'key:1' })
      const made = bundleOf(all, box.boxID)
      const page = honestPage(made)
      const told = matchOf({ ...page, stage: stageOfAny(made, page) }, made)
      assert.deepEqual(told, { kind: 'same' })
    }),
    { numRuns: 60 },
  )
})

/** The stage that the comparison holds for right: the property is about everything else. */
function stageOfAny(made: typeof world, page: ProvablePage): ProvablePage['stage'] {
  for (const stage of ['registered', 'at sea', 'on the road'] as const)
    if (matchOf({ ...page, stage }, made).kind === 'same') return stage
  return 'at market'
}

/** Every lie that the reviews tried, and more. `tells`: what is said first. */
const lies: [name: string, lie: (page: ProvablePage) => unknown, tells: RegExp][] = [
  ['another box', (page) => Object.assign(page.box, { boxID: '1' }), /^Box number: the page shows 1,/],
  [
    'forged stars',
    (page) => Object.assign(page.figures, { stars: 4 }),
    /^Stars: the page shows 4, the records say 5\./,
  ],
  [
    'a forged index',
    (page) => Object.assign(page.figures, { freshnessIndex: 0 }),
    /^Warmth index: the page shows 0,/,
  ],
  [
    'a forged best-by date',
    (page) => Object.assign(page.figures.timeLeft?.bestBy ?? {}, { at: '2027-01-01T00:00:00.000Z' }),
    /^Time left, best by/,
  ],
  [
    'forged days used',
    (page) => Object.assign(page.figures.timeLeft ?? {}, { daysUsed: 0 }),
    /^Time left, days used/,
  ],
  [
    'a forged shelf life',
    (page) => Object.assign(page.figures.timeLeft ?? {}, { shelfLifeAt0: 30 }),
    /^Time left, shelf life/,
  ],
  [
    'a forged cold chain',
    (page) => Object.assign(page.figures.coldChain ?? {}, { minutesAbove5: 1 }),
    /^Cold chain, minutes above 5 °C: the page shows 1,/,
  ],
  [
    'a forged highest temperature',
    (page) => Object.assign(page.figures.coldChain ?? {}, { highest: 1 }),
    /^Cold chain, highest temperature: the page shows 1, the records say 3\.3\./,
  ],
  [
    'no cold chain',
    (page) => Object.assign(page.figures, { coldChain: null }),
    /^Cold chain: the page shows nothing/,
  ],
  [
    'another species',
    (page) => Object.assign(page.box.catchProv ?? {}, { species: 'Tuna' }),
    /^Catch, species: the page shows Tuna, the records say Snapper\./,
  ],
  [
    'a hidden catch',
    (page) => Object.assign(page.box, { catchProv: null }),
    /^Catch: the page shows nothing/,
  ],
  [
    'a seal that is none',
    (page) => Object.assign(page, { sealed: true, stage: 'sealed' }),
    /^Sealed: the page shows yes/,
  ],
  [
    'a recall that is none',
    (page) => Object.assign(page, { recall: { reason: 'x', at: '2026-11-20', inHistory: false } }),
    /^Recall: the page shows/,
  ],
  [
    'another stage',
    (page) => Object.assign(page, { stage: 'at sea' }),
    /^Stage: the page shows at sea, the records say at market\./,
  ],
  [
    'a forged score of the sensor',
    (page) => Object.assign(page.box.iotResult ?? {}, { iotScore: 0 }),
    /^Sensor result, score/,
  ],
  [
    'another temperature',
    (page) => Object.assign(readingOf(page, 3), { temperature: 0.1 }),
    /^Reading 4, temperature: the page shows 0\.1, the records say 2\.2\./,
  ],
  [
    'a superseded value',
    (page) => Object.assign(readingOf(page, 2), { temperature: 9.8 }),
    /^Reading 3, temperature: the page shows 9\.8, the records say 3\.3\. It was corrected by record 11\.$/,
  ],
  [
    'a reading left out',
    (page) => page.box.iotResult?.iotTracking.pop(),
    /^Readings: the page shows 3, the records hold 4\.$/,
  ],
  [
    'a reading twice in the place of another',
    (page) => Object.assign(readingOf(page, 3), readingOf(page, 0)),
    /^Reading 4, time/,
  ],
  [
    'swapped readings',
    (page) => page.box.iotResult?.iotTracking.reverse(),
    /^Readings are shown in another order/,
  ],
  [
    'hidden e-eye results',
    (page) => Object.assign(page.box, { imageProc: [] }),
    /^E-eye results: the page shows 0, the records hold 1\.$/,
  ],
  [
    'a changed finding',
    (page) => Object.assign(page.box.imageProc[0]?.overallResult ?? {}, { skin: 'dull' }),
    /^E-eye result 1, overallResult, skin: the page shows dull/,
  ],
  ['hidden e-nose results', (page) => page.box.e_nose.pop(), /^E-nose results: the page shows 0/],
  [
    'hidden freshness assessments',
    (page) => page.box.freshness.pop(),
    /^Freshness assessments: the page shows 0/,
  ],
  [
    'a hidden fisher',
    (page) => Object.assign(page.box.fisher, { traderName: '' }),
    /^Fisher, name: the page shows nothing, the records say Sample Trader\./,
  ],
  [
    'a forged fingerprint',
    (page) => Object.assign(page.records[4] ?? {}, { recordHash: 'ab'.repeat(32) }),
    /^Record 5, fingerprint/,
  ],
  [
    'a forged time of a record',
    (page) => Object.assign(page.records[1] ?? {}, { at: '2026-11-18 08:00:00' }),
    /^Record 2, time/,
  ],
  [
    'a forged transaction',
    (page) => Object.assign(page.records[1] ?? {}, { txHash: `0x${'00'.repeat(32)}` }),
    /^Record 2, transaction/,
  ],
  [
    'a forged time of an anchor',
    (page) => Object.assign(page.records[1] ?? {}, { anchoredAt: '2026-11-18T00:00:00Z' }),
    /^Record 2, time of its anchor/,
  ],
  [
    'a record that is no correction',
    (page) => Reflect.deleteProperty(page.records[10] ?? {}, 'corrects'),
    /^Record 11, corrects/,
  ],
  [
    'a record that does not exist',
    (page) => page.records.push(...page.records.slice(0, 1)),
    /^Records: the page shows 12, the records hold 11\.$/,
  ],
  ['a lone surrogate', (page) => Object.assign(page.box.fisher, { boat: '\ud800' }), /^Fisher, boat/],
]

const readingOf = ({ box }: ProvablePage, nth: number): object => box.iotResult?.iotTracking[nth] ?? {}

for (const [name, lie, tells] of lies)
  test(`a page with ${name} differs, and it is said`, () => {
    const page = honestPage(world)
    lie(page)
    assert.match(toldOf(page)[0] ?? '', tells)
  })

test('a page of the first records alone is older, unless it shows something else', () => {
  const first = bundleOf(payloads.slice(0, 8), '0345579444')
  const page = { ...honestPage(first), stage: 'on the road' as const }
  assert.deepEqual(matchOf(page), { kind: 'older', missing: 3 })
  const whole = honestPage(world)
  assert.equal(matchOf({ ...whole, records: whole.records.slice(0, 8) }).kind, 'differs')
})

test('of a page that is false throughout only so much is told', () => {
  const page = honestPage(world)
  for (const row of page.records)
    Object.assign(row, { by: 'somebody', at: '', kind: 'catch', recordHash: '' })
  const told = toldOf(page)
  assert.ok(told.length >= 10 && told.length <= 60, String(told.length))
})
