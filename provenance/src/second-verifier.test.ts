import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { ProofBundle } from './bundle.ts'
import type { BundleLog } from './bundle-log.ts'
import { anchorFileText } from './file-ledger.ts'
import { FormatError } from './index.ts'
import { keyTypes, verifierKey, verifierKeyText } from './log/note.ts'
import { type Chance, chanceOf } from './testing/chance.ts'
import { mutated, transplanted } from './testing/json-mutations.ts'
import { newSigner } from './testing/log.ts'
import {
  loggedBundle,
  logOf,
  newestTime,
  partiesOf,
  policyOf,
  twoOfThree,
  witnesses,
} from './testing/logged-shop.ts'
import { agreed, needsPython, type Question, secondVerifier } from './testing/second-verifier.ts'
import { Shop } from './testing/shop.ts'

/** `SEED=123 node --test …` asks the same again. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const MUTANTS = Number(process.env.MUTANTS ?? 2_000)

const fileOf = (shop: Shop): unknown => JSON.parse(anchorFileText(shop.file()))

function randomShop(chance: Chance): Shop {
  const shop = new Shop()
  const boxes = ['A', 'B', '\u{1f41f}']
  for (let round = 0, rounds = 2 + chance(6); round < rounds; round++) {
    for (const box of boxes) {
      const history = shop.histories.get(box) ?? []
      if (history.at(-1)?.kind === 'seal' || (round > 0 && chance(2) === 0)) continue
      shop.append(box, history.length > 1 && chance(7) === 0 ? 'seal' : 'tracking', {
        temperature: chance(40) / 8,
      })
    }
    shop.anchor()
  }
  return shop
}

const inNote = (bundle: ProofBundle, change: (note: string) => string): unknown => ({
  ...bundle,
  log: { ...bundle.log, checkpoint: change((bundle.log as BundleLog).checkpoint) },
})

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='

/** A note that somebody has spoilt. */
function spoiltNote(note: string, chance: Chance): string {
  const lines = note.split('\n')
  const [a, b] = [chance(lines.length), chance(lines.length)]
  const at = chance(note.length)
  const other = String.fromCharCode(note.charCodeAt(at) ^ (1 << chance(7)))
  const letter = LETTERS.charAt(chance(LETTERS.length))
  const ends = [...note.matchAll(/.(?==*\n)/g)].map(({ index }) => index)
  const end = ends[chance(ends.length)] ?? 0
  const ways: readonly (() => string)[] = [
    () => note.slice(0, at) + other + note.slice(at + 1),
    () => note.slice(0, end) + letter + note.slice(end + 1),
    () => note.replace('=', letter),
    () => lines.with(a, lines[b] ?? '').join('\n'),
    () => lines.toSpliced(a, 1).join('\n'),
    () => lines.toSpliced(a, 0, lines[b] ?? '').join('\n'),
    () => lines.toSpliced(b, 0, `— stranger.example/w ${(lines[a] ?? '').split(' ')[2]}`).join('\n'),
    () => note + (lines[4 + chance(3)] ?? ''),
    () => note.replace(/\n\d+\n/, `\n${chance(9)}\n`),
  ]
  return ways[chance(ways.length)]?.() ?? note
}

async function mutantsOf(chance: Chance, count: number): Promise<Question[]> {
  const questions: Question[] = []
  while (questions.length < count) {
    const shop = randomShop(chance)
    const donor = randomShop(chance)
    const size = shop.anchors.length - chance(3)
    const timeS = newestTime(shop) - (chance(5) === 0 ? 90_000 : chance(600))
    const terms = { size, timeS, signers: witnesses.slice(0, 1 + chance(3)) }
    const bundle = await loggedBundle(shop, 'A', terms)
    const others = await loggedBundle(donor, 'A', { timeS })
    const asked = { ledger: fileOf(shop), policy: twoOfThree, now: newestTime(shop) }
    questions.push(
      { ...asked, bundle },
      { ...asked, bundle: others },
      { ...asked, ledger: fileOf(donor), bundle },
    )
    for (let i = 0; i < 25; i++) {
      const ledger = chance(6) === 0 ? null : asked.ledger
      const policy = chance(10) === 0 ? null : asked.policy
      const spoilt = [
        () => mutated(bundle, chance),
        () => ({ ...bundle, log: mutated(bundle.log ?? {}, chance) }),
        () => transplanted(bundle, others, chance),
        () => inNote(bundle, (note) => spoiltNote(note, chance)),
      ][chance(4)]?.()
      questions.push({ ...asked, ledger, policy, bundle: spoilt })
    }
  }
  return questions.slice(0, count)
}

test(`two verifiers agree on ${MUTANTS} proofs with a log, most of them forged`, needsPython, async (t) => {
  t.diagnostic(`seed ${seed}`)
  const chance = chanceOf(seed)
  const answers = await agreed(await mutantsOf(chance, MUTANTS), `seed ${seed}`)
  const counts = Map.groupBy(answers, ({ verdict, log }) => `${verdict}, ${log?.state ?? 'not a log'}`)
  t.diagnostic([...counts].map(([what, { length }]) => `${what}: ${length}`).join('; '))
  for (const what of ['verified, witnessed', 'broken, broken', 'broken, not a log', 'verified, missed'])
    assert.ok(counts.has(what), what)
})

test('no changed bit of a checkpoint is witnessed by either verifier', needsPython, async () => {
  const shop = new Shop()
  for (const box of ['A', 'B']) {
    shop.append(box, 'tracking')
    shop.anchor()
  }
  const bundle = await loggedBundle(shop, 'A')
  const asked = { ledger: fileOf(shop), policy: twoOfThree, now: newestTime(shop) }
  const note = bundle.log?.checkpoint ?? ''
  const questions = Array.from({ length: note.length * 7 }, (_, i) => {
    const at = Math.floor(i / 7)
    const other = String.fromCharCode(note.charCodeAt(at) ^ (1 << (i % 7)))
    return { ...asked, bundle: inNote(bundle, () => note.slice(0, at) + other + note.slice(at + 1)) }
  })
  const [whole, ...answers] = await agreed([{ ...asked, bundle }, ...questions], 'no chance')
  assert.equal(whole?.log?.state, 'witnessed')
  for (const { log } of answers) assert.notEqual(log?.state, 'witnessed')
})

test(
  'both name the same under every policy: met, not met, without quorum, of another log, of own hosts',
  needsPython,
  async () => {
    const shop = randomShop(chanceOf(7))
    const own = newSigner('witness.fish.example', 4)
    const elsewhere = newSigner('else.example/befaqt/log')
    const bundle = await loggedBundle(shop, 'A', { signers: [...witnesses, own] })
    const moved = await loggedBundle(shop, 'A', { signers: witnesses, log: logOf(shop, elsewhere) })
    const impostor = await loggedBundle(shop, 'A', {
      signers: witnesses,
      log: logOf(shop, newSigner('fish.example/befaqt/log')),
    })
    const all = ['group all all market university certifier', 'quorum all', '']
    const policies = [
      twoOfThree,
      [...partiesOf(), ...all].join('\n'),
      [...partiesOf(), 'quorum none', ''].join('\n'),
      [...partiesOf(), 'quorum university', ''].join('\n'),
      [...partiesOf(witnesses, elsewhere), ...all].join('\n'),
      [
        ...partiesOf([...witnesses, newSigner('x.example/w', 4)]),
        'group g all market x',
        'quorum g',
        '',
      ].join('\n'),
      [...partiesOf([own]), 'quorum witness', ''].join('\n'),
      [...partiesOf(), 'group p any market university', 'group q all p certifier', 'quorum q', ''].join('\n'),
    ]
    const asked = { ledger: fileOf(shop), now: newestTime(shop) }
    const questions = policies.flatMap((policy) =>
      [bundle, moved, impostor, shop.bundleOf('A')].map((each) => ({ ...asked, policy, bundle: each })),
    )
    const states = new Set((await agreed(questions, 'no chance')).map(({ log }) => log?.state))
    assert.deepEqual(states, new Set(['witnessed', 'other_log', 'broken', 'no_log', 'missed']))
    const long = inNote(bundle, (note) => note + `${'x'.repeat(1_000)}\n`.repeat(1_048))
    const [tooLong] = await agreed([{ ...asked, policy: twoOfThree, bundle: long }], 'no chance')
    assert.deepEqual(tooLong, { verdict: 'broken', upTo: 0, log: null, weights: null, signed: null })
  },
)

test(
  'signatures that anybody makes, by keys of small order, and such that begin with one, are taken by neither',
  needsPython,
  async () => {
    const shop = randomShop(chanceOf(7))
    const low = (first: string, rest: string, last: string) =>
      Buffer.from(first + rest.repeat(30) + last, 'hex')
    const identity = low('01', '00', '00')
    const questions: Question[] = []
    for (const publicKey of [identity, low('00', '00', '00'), low('00', '00', '80'), low('ec', 'ff', '7f')])
      for (let i = 0; i < 12; i++) {
        const key = verifierKey('market.example/w', keyTypes.ed25519Cosigner, publicKey)
        const anybody = { key, sign: () => Buffer.concat([identity, Buffer.alloc(32)]) }
        const nowS = newestTime(shop) + i
        const bundle = await loggedBundle(shop, 'A', { signers: [anybody], timeS: nowS })
        const policy = [...partiesOf([anybody]), 'quorum market', ''].join('\n')
        questions.push({ bundle, policy, ledger: fileOf(shop), now: nowS })
      }
    for (const { log } of await agreed(questions, 'no chance')) assert.equal(log?.state, 'broken')
  },
)

test(
  'both say the same of an address with white space of whatever kind, and of its length',
  needsPython,
  async () => {
    const shop = randomShop(chanceOf(7))
    const bundle = shop.bundleOf('A')
    const asked = { policy: null, ledger: fileOf(shop), now: newestTime(shop) }
    const spaces = ['\ufeff', '\u0085', '\u001c', '\u00a0', '\u180e', '\u2003', '\u3000', '\n', ' ']
    const paths = [...spaces, '\u{1f41f}'.repeat(1_000), '\u{1f41f}'.repeat(1_001), 'a'.repeat(2_001), '']
    const questions = paths.map((path) => ({
      ...asked,
      bundle: { ...bundle, ledger: { ...bundle.ledger, rpc: `https://${path}` } },
    }))
    const answers = await agreed(questions, 'no chance')
    const taken = answers.map(({ verdict }, i) => (verdict === 'broken' ? '' : (paths[i]?.slice(0, 2) ?? '')))
    assert.deepEqual(
      taken.filter((one) => one !== ''),
      ['\u0085', '\u001c', '\u180e', '\u{1f41f}'],
    )
  },
)

test('a policy with a key twice, under whatever name, is one for neither verifier', needsPython, () => {
  const [log = '', first = '', second = ''] = partiesOf()
  const key = (i: number): string => verifierKeyText(witnesses[i]?.key ?? assert.fail())
  const renamed = { ...(witnesses[0]?.key ?? assert.fail()), name: 'again.example/w' }
  const bad = [
    [log, first, `witness again ${key(0)}`, 'quorum again', ''],
    [log, first, first, 'quorum market', ''],
    [log, log, first, 'quorum market', ''],
    [log, first, second.replace('university ', 'market '), 'quorum market', ''],
    [log, `witness again ${verifierKeyText(renamed)}`, 'quorum again', ''],
    [log, first, 'group g 2 market', 'quorum g', ''],
    [log, first, 'group g any market market', 'quorum g', ''],
    [log, first, 'quorum none', 'quorum none', ''],
    [log, first, 'quorum market'],
  ].map((lines) => lines.join('\n'))
  for (const policy of bad) {
    assert.throws(() => policyOf(policy), FormatError, policy)
    const question = { bundle: {}, ledger: null, policy, now: 0 }
    const done = spawnSync('python3', [secondVerifier], { input: JSON.stringify(question), encoding: 'utf8' })
    assert.match(done.stderr, /Refused/, policy)
  }
})
