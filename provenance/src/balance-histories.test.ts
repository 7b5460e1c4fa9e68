import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anchorFileText } from './file-ledger.ts'
import type { BoxRecord } from './index.ts'
import { type Chance, chanceOf } from './testing/chance.ts'
import { newestTime } from './testing/logged-shop.ts'
import { agreed, needsPython, type Question } from './testing/second-verifier.ts'
import { type Fact, honestHistory, overdrawn, shopOf } from './testing/weighed-histories.ts'
import { verifyBundle } from './verify.ts'

/** `MUTANTS=100000 node --test …` asks as many. */
const HISTORIES = Number(process.env.MUTANTS ?? 600)

const ofChance = fc.noShrink(fc.integer({ min: 0, max: 2 ** 31 - 1 }))

test(`${HISTORIES} histories that give no more than went in are verified, each with a gram more is broken`, async () => {
  await fc.assert(
    fc.asyncProperty(ofChance, async (seed) => {
      const chance = chanceOf(seed)
      const honest = honestHistory(chance)
      const every = 1 + chance(6)
      const shop = shopOf(honest.facts, every)
      const { verdict, balance, reasons } = await verifyBundle(shop.bundleOf('A'), shop.ledger())
      assert.deepEqual(
        [verdict, balance?.left, balance?.total],
        ['verified', honest.left, honest.total],
        JSON.stringify(reasons),
      )
      const more = shopOf(overdrawn(honest, chance), every)
      const result = await verifyBundle(more.bundleOf('A'), more.ledger())
      assert.equal(result.verdict, 'broken')
      assert.ok(
        result.reasons.some(({ code }) => code === 'overdrawn'),
        JSON.stringify(result.reasons),
      )
    }),
    { numRuns: HISTORIES },
  )
})

const amounts: readonly BoxRecord['data'][string][] = [
  1,
  2,
  5,
  10,
  100,
  102,
  103,
  0,
  -1,
  0.5,
  1_000_000,
  10_000_000,
  '5',
  null,
  true,
]
const names = ['Snapper', 'Bream', '', 7]

/** Facts of any kind and form, most of them right. */
function anyFact(chance: Chance, seq: number): Fact {
  const of = <T>(list: readonly T[], good: number): T =>
    list[chance(chance(8) === 0 ? list.length : good)] as T
  const data: Record<string, BoxRecord['data'][string]> = { product: of(names, 2), grams: of(amounts, 7) }
  if (chance(6) === 0) delete data.grams
  if (chance(5) === 0) data.pieces = of(amounts, 5)
  if (chance(12) === 0) data.more = 'x'
  const weighed: Fact = [
    'weight',
    {
      of: of(['catch', 'box', 'fish'], 2),
      grams: of(amounts, 7),
      ...(chance(3) === 0 && { scale: of(['S', ''], 1) }),
    },
  ]
  const facts: readonly Fact[] = [
    weighed,
    ['sale', { ...data, ...(chance(3) === 0 && { returned: chance(9) > 0 }) }],
    ['sale', data],
    ['loss', { ...data, reason: of(['', 7], 1) }],
    ['offer', { ...data, linked: of([true, false, 1], 2) }],
    [
      'correction',
      {
        corrects: 1 + chance(seq + 1),
        data: chance(3) === 0 ? weighed[1] : { ...data, reason: '', linked: true },
      },
    ],
    ['catch', {}],
    ['tracking', { temperature: 2 }],
  ]
  return facts[chance(facts.length)] as Fact
}

/** `SEED=123 node --test …` asks the same again. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

test(`two verifiers agree on what ${HISTORIES} histories weigh, of any form`, needsPython, async (t) => {
  t.diagnostic(`seed ${seed}`)
  const chance = chanceOf(seed)
  const counts = new Map<string, number>()
  for (let asked = 0; asked < HISTORIES; asked += 500) {
    const questions = Array.from({ length: Math.min(500, HISTORIES - asked) }, (): Question => {
      const facts = Array.from({ length: 1 + chance(12) }, (_, i): Fact => {
        const [kind, data] = anyFact(chance, i + 1)
        return [kind, data, [40, 86_400 + 40, 86_400 + 41, 200_000][chance(4)] ?? 40]
      })
      const shop = shopOf(facts, 1 + chance(20))
      return {
        bundle: shop.bundleOf('A'),
        ledger: chance(9) === 0 ? null : JSON.parse(anchorFileText(shop.file())),
        policy: null,
        now: newestTime(shop),
      }
    })
    for (const { verdict, weights } of await agreed(questions, `seed ${seed}`)) {
      const [figures, problems] = (weights ?? [{ state: 'nothing' }, []]) as [
        { state: string },
        [string, number][],
      ]
      for (const what of [verdict, figures.state, ...problems.map(([code]) => code)])
        counts.set(what, (counts.get(what) ?? 0) + 1)
    }
  }
  t.diagnostic([...counts].map(([what, count]) => `${what}: ${count}`).join('; '))
})
