import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { encode } from 'cborg'
import type { ProofBundle } from '../bundle.ts'
import { isPlainObject, type JsonObject } from '../canonical.ts'
import { anchorFileText } from '../file-ledger.ts'
import { type Chance, chanceOf } from '../testing/chance.ts'
import { mutated } from '../testing/json-mutations.ts'
import { loggedBundle, newestTime, twoOfThree } from '../testing/logged-shop.ts'
import { agreed, needsPython, type Question } from '../testing/second-verifier.ts'
import { Shop } from '../testing/shop.ts'
import { readCoseStatement } from './cose-statement.ts'
import { readCoseWeighing } from './cose-weighing.ts'
import { registerBoxOf } from './device-register.ts'
import { type ScaleMessage, Signer, senmlOf, weighingPackOf } from './signer.ts'
import { FIRST, pickReading, readJcsStatement } from './statement.ts'
import { weighedData } from './weighed-data.ts'

/** `SEED=123 node --test …` asks the same again. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const MUTANTS = Number(process.env.MUTANTS ?? 600)

const BOX = 'A'
const LONG_AGO = '2020-01-01T00:00:00Z'
/** Of the first anchor of a shop of tests. */
const ANCHORED_S = 1_795_222_800

/** Records of statements as a logger's life makes them: some left out, begun anew, forked, of the older form. */
function loggerData(logger: Signer, chance: Chance): JsonObject[] {
  let [counter, timeS] = [chance(5), ANCHORED_S - 90_000]
  return Array.from({ length: 3 + chance(5) }, () => {
    counter += chance(4) === 0 ? 1 + chance(9) : 1
    timeS += 600 * (1 + chance(30)) + chance(8) / 8 + (chance(3) === 0 ? 0.0005 : 0)
    const place: [number, number] = [-33.5, 150 + chance(9) / 8]
    const readings = Array.from({ length: 1 + chance(3) }, (_, i) => ({
      timeS: timeS + i * 60,
      temperature: chance(40) / 8,
      ...(chance(3) === 0 && { place }),
    }))
    const said = { box: BOX, counter, readings, ...(chance(2) === 0 && { battery: chance(101) }) }
    const former = logger.heads.get(BOX) ?? FIRST
    const kinds = [
      () => logger.logger(said),
      () => logger.logger({ ...said, prev: FIRST }),
      () => logger.logger({ ...said, prev: former }), // the next one forks
      () =>
        chance(2) === 0 ? logger.logger({ ...said, prev: 'ab'.repeat(32) }) : otherwise(logger, said, chance),
    ]
    const bytes = kinds[chance(30)]?.() ?? logger.chained(said)
    return recordsOf(bytes, logger, chance)
  })
    .filter(() => chance(9) > 0)
    .flat()
}

/** What the format takes or refuses in one place, signed all the same. */
function otherwise(logger: Signer, said: Parameters<Signer['logger']>[0], chance: Chance): Uint8Array {
  const pack = senmlOf(said) as Map<number, unknown>[]
  const labels = [-4, -3, -2, 0, 1, 2, 3, 4, 6, '_']
  const values = [null, 0, 1.5, 'Cel', 'lat', '', true, 2 ** 33, -0.25, new Uint8Array(2), []]
  const [at, label, value] = [
    chance(pack.length),
    labels[chance(labels.length)],
    values[chance(values.length)],
  ]
  const spoilt = pack.map((one, i) => (i === at ? new Map<unknown, unknown>([...one, [label, value]]) : one))
  const header =
    chance(3) === 0 ? [...logger.header(FIRST), [chance(9), value] as const] : logger.header(FIRST)
  return logger.cose(encode(spoilt), header)
}

function recordsOf(bytes: Uint8Array, { id: key }: Signer, chance: Chance): JsonObject[] {
  const mark = { form: 'cose', level: 'sensor', key, bytes: Buffer.from(bytes).toString('hex') }
  try {
    return readCoseStatement(bytes)
      .readings.map((reading, place) => ({ ...pickReading(reading), signed: { ...mark, place } }))
      .filter(() => chance(12) > 0)
  } catch {
    return [
      {
        time: LONG_AGO,
        latitude: 0,
        longitude: 0,
        iotID: 'x',
        temperature: 1,
        signed: { ...mark, place: 0 },
      },
    ]
  }
}

/** A phone's, whose counter leaps. */
function phoneData(phone: Signer, chance: Chance): JsonObject[] {
  let prev = FIRST
  let counter = 1_795_000_000_000
  return Array.from({ length: chance(4) }, (_, i) => {
    counter += 1 + chance(9_000)
    const time = ['2026-11-20 0', '2026-11-21T0'][chance(2)] ?? ''
    const reading = {
      time: `${time}${i}:00:0${chance(9)}${time.endsWith('T0') ? ['Z', '.5+11:00'][chance(2)] : ''}`,
      latitude: 0,
      longitude: 0,
      iotID: 'é-1',
      temperature: chance(40) / 8,
    }
    const signed = phone.jcsMark(reading, { box: BOX, counter, ...(chance(5) > 0 && { prev }) })
    assert.ok(signed.form === 'jcs')
    prev = readJcsStatement(signed.text, new Uint8Array(64)).hash
    return { ...reading, signed }
  }).filter(() => chance(6) > 0)
}

/** Weights of a scale: some left out, forked, of another unit, not whole, or said to be something else. */
function scaleFacts(scale: Signer, chance: Chance): Fact[] {
  let [counter, timeS, prev] = [chance(5), ANCHORED_S - 90_000, FIRST]
  return Array.from({ length: chance(4) }, () => {
    counter += chance(30) === 0 ? 0 : 1 + chance(2)
    timeS += 600 + chance(8) / 8
    const of = (['catch', 'box'] as const)[chance(2)] ?? 'box'
    const said = { box: BOX, counter, of, grams: 1_000 + chance(9), timeS, prev }
    const bytes = chance(15) === 0 ? spoiltWeighing(scale, said, chance) : scale.scale(said)
    if (chance(20) > 0) prev = createHash('sha256').update(bytes).digest('hex')
    return weightOf(bytes, scale, chance)
  }).filter(() => chance(9) > 0)
}

function spoiltWeighing(scale: Signer, said: ScaleMessage, chance: Chance): Uint8Array {
  const values = [0, 0.5, 1.0005, 38.2, 1_000, 1_001, 'kg', 'g', 'box', '', true, null, 2 ** 33, 'temp', 'of']
  const [at, label, value] = [chance(4), [-4, -3, 0, 1, 2, 3, 6][chance(7)], values[chance(values.length)]]
  const pack = weighingPackOf(said).map((one, i) =>
    i === at ? new Map<unknown, unknown>([...one, [label, value]]) : one,
  )
  return scale.cose(encode(pack), scale.header(chance(5) === 0 ? undefined : said.prev))
}

function weightOf(bytes: Uint8Array, { id: key }: Signer, chance: Chance): Fact {
  const hex = Buffer.from(bytes).toString('hex')
  try {
    const weighing = readCoseWeighing(bytes)
    const data = { ...weighedData(weighing, hex), ...(chance(40) === 0 && { grams: 1 + chance(9) }) }
    return { kind: 'weight', data, at: weighing.time }
  } catch {
    return {
      kind: 'weight',
      data: { of: 'box', grams: 5, scale: 'x', weighed: { form: 'cose', key, bytes: hex } },
    }
  }
}

type Fact = { kind: 'tracking' | 'weight'; data: JsonObject; at?: string | number }

const tracked = (data: JsonObject): Fact => ({ kind: 'tracking', data })

const moved = <T>(list: readonly T[], chance: Chance): T[] => {
  const at = chance(list.length + 1)
  return chance(3) === 0 ? [...list.slice(at), ...list.slice(0, at)] : [...list]
}

/** Now and then a record says another time than was signed. */
const atOr = (chance: Chance): number | undefined => (chance(60) === 0 ? chance(9_000) : undefined)

/** A box with readings of a logger and a phone, anchored now and then. */
function signedShop(chance: Chance): { shop: Shop; keys: readonly Signer[] } {
  const [logger, phone] = [new Signer(), new Signer()]
  const shop = new Shop()
  shop.append(BOX, 'registration')
  shop.append(registerBoxOf(logger.id), 'device', logger.entry('sensor', LONG_AGO))
  if (chance(6) > 0) shop.append(registerBoxOf(phone.id), 'device', phone.entry('gateway', LONG_AGO))
  shop.anchor()
  const readings = [...loggerData(logger, chance), ...phoneData(phone, chance)].map(tracked)
  for (const { kind, data, at } of moved([...readings, ...scaleFacts(logger, chance)], chance)) {
    shop.append(BOX, kind, data, atOr(chance) ?? at)
    if (chance(4) === 0) shop.anchor()
  }
  if (chance(8) === 0)
    shop.append(registerBoxOf(logger.id), 'device', logger.entry('sensor', LONG_AGO, LONG_AGO))
  if (chance(3) === 0) shop.append(BOX, 'seal')
  if (chance(5) > 0) shop.anchor()
  return { shop, keys: [logger, phone].filter(({ id }) => shop.histories.has(registerBoxOf(id))) }
}

const withDevices = (shop: Shop, keys: readonly Signer[]): ProofBundle => ({
  ...shop.bundleOf(BOX),
  devices: keys.map(({ id }) => shop.bundleOf(registerBoxOf(id))),
})

/** The bundle's readings changed, with all hashes made again by a shop that wants to. */
function rebuilt({ shop, keys }: ReturnType<typeof signedShop>, chance: Chance): [unknown, Shop] {
  const other = new Shop()
  for (const [box, records] of shop.histories)
    for (const { kind, data, at } of records) {
      const isSigned = kind === 'tracking' || kind === 'weight'
      const spoilt = isSigned && chance(6) === 0 ? mutated(data, chance) : data
      const when = atOr(chance) ?? (kind === 'weight' ? at : undefined)
      other.append(box, kind, isPlainObject(spoilt) ? (spoilt as JsonObject) : data, when)
    }
  other.anchor()
  return [withDevices(other, keys), other]
}

test(
  `two verifiers agree on ${MUTANTS} proofs with signed readings, most of them forged`,
  needsPython,
  async (t) => {
    t.diagnostic(`seed ${seed}`)
    const chance = chanceOf(seed)
    const questions: Question[] = []
    const fileOf = (shop: Shop): unknown => JSON.parse(anchorFileText(shop.file()))
    while (questions.length < MUTANTS) {
      const made = signedShop(chance)
      const bundle = withDevices(made.shop, made.keys)
      const asked = { ledger: fileOf(made.shop), policy: null, now: newestTime(made.shop) }
      const [forged, other] = rebuilt(made, chance)
      const { log, anchors } = await loggedBundle(made.shop, BOX)
      const { devices: _, ...without } = bundle
      questions.push(
        { ...asked, bundle },
        { ...asked, bundle: without },
        { ...asked, ledger: null, bundle },
        { ...asked, bundle: forged, ledger: fileOf(other) },
        { ...asked, policy: twoOfThree, bundle: { ...without, anchors, log } },
        ...Array.from({ length: 5 }, () => ({ ...asked, bundle: mutated(bundle, chance) })),
      )
    }
    const answers = await agreed(questions.slice(0, MUTANTS), `seed ${seed}`)
    assert.ok(
      answers.some(
        ({ weights }) => weights?.[0] && 'signedBy' in Object(weights[0]) && Object(weights[0]).signedBy,
      ),
      'a signed weight',
    )
    const named = answers.flatMap(({ signed }) => (signed?.[1] ? [signed[1]] : []))
    t.diagnostic(
      JSON.stringify(
        [...Map.groupBy(answers, ({ verdict }) => verdict)].map(([what, { length }]) => [what, length]),
      ),
    )
    for (const what of ['missing', 'anew', 'older', 'unshown'] as const)
      assert.ok(
        named.some(
          (notes) =>
            (what in notes ? JSON.stringify(notes[what as never]) : '0').length > 2 ||
            Number(notes[what as never]) > 0,
        ),
        what,
      )
  },
)

test('both refuse a signed weight in which one bit is turned', needsPython, async () => {
  const scale = new Signer()
  const bytes = scale.scale({ box: BOX, counter: 1, of: 'box', grams: 38_205, timeS: ANCHORED_S - 600 })
  const { time, ...weighing } = readCoseWeighing(bytes)
  const questionOf = (sent: Uint8Array): Question => {
    const shop = new Shop()
    shop.append(registerBoxOf(scale.id), 'device', scale.entry('sensor', LONG_AGO))
    const data = weighedData({ ...weighing, time }, Buffer.from(sent).toString('hex'))
    shop.append(BOX, 'weight', data, time)
    shop.anchor()
    const ledger: unknown = JSON.parse(anchorFileText(shop.file()))
    return { bundle: withDevices(shop, [scale]), ledger, policy: null, now: newestTime(shop) }
  }
  const turned = Array.from({ length: bytes.length * 8 }, (_, bit) =>
    bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))),
  )
  const [whole, ...others] = await agreed([bytes, ...turned].map(questionOf), 'a bit')
  assert.deepEqual([whole?.verdict, whole?.signed?.[2]], ['verified', { 1: scale.id }])
  assert.deepEqual(new Set(others.map(({ verdict }) => verdict)), new Set(['broken']))
})
