import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { weigh } from '@befaqt/provenance/balance'
import { parseBundle } from '@befaqt/provenance/bundle'
import { fileLedger } from '@befaqt/provenance/file-ledger'
import { readCoseWeighing } from '@befaqt/provenance/signed/cose-weighing'
import { type ScaleMessage, Signer } from '@befaqt/provenance/signed/signer'
import { verifyBundle } from '@befaqt/provenance/verify'
import { and, asc, eq } from 'drizzle-orm'
import { records } from '#server/db/schema/boxes.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { enrolled, hexOf } from '#server/testing/signed-readings.ts'

const { fisher, catchProv } = sampleBox()
const { txHash: _, ...caught } = catchProv ?? assert.fail('no catch')
/** Slots of orders are of tomorrow. */
const NOW = new Date()
const START_S = Math.floor(NOW.getTime() / 1000) - 1_800

const said = (counter: number, more: Partial<ScaleMessage> = {}): Omit<ScaleMessage, 'prev'> => ({
  box: 'BOX-1',
  counter,
  of: 'box',
  grams: 10_000,
  timeS: START_S + counter * 60,
  ...more,
})

/** A caught box, of which snapper is sold, and a scale that was registered an hour ago. */
async function shopWithScale(options: Parameters<typeof shopWithOrders>[0] = {}) {
  const shop = await shopWithOrders(options)
  shop.deps.now = () => new Date(NOW.getTime() - 3_600_000)
  const [scale, phone] = [await enrolled(shop.admin), await enrolled(shop.admin, 'gateway')]
  shop.deps.now = () => NOW
  for (const boxID of ['BOX-1', 'BOX-2']) {
    await shop.admin('POST', '/api/box/registration', { boxID, fisher })
    assert.equal((await shop.admin('POST', `/api/box/${boxID}/catch`, caught)).statusCode, 201)
  }
  const links = [{ boxID: 'BOX-1', quantity: 10 }]
  assert.equal((await shop.admin('PUT', '/api/product/snapper/boxes', links)).statusCode, 200)
  return { shop, scale, phone }
}

const post = async ({ admin }: OrderShop, body: object, box = 'BOX-1') => {
  const answer = await admin('POST', `/api/box/${box}/weight`, body)
  const { seq, error } = answer.json()
  return answer.statusCode === 201
    ? { seq }
    : { status: answer.statusCode, code: error.code, fields: error.fields }
}

const weighed = (shop: OrderShop, bytes: Uint8Array, box?: string) => post(shop, { cose: hexOf(bytes) }, box)

/** The path of the one field that was refused, with the beginning of why. */
async function refusal(shop: OrderShop, bytes: Uint8Array, box?: string): Promise<[string, string]> {
  const { status, fields } = await weighed(shop, bytes, box)
  assert.equal(status, 400)
  assert.equal(fields.length, 1)
  return [fields[0].path, fields[0].message.slice(0, 30)]
}

async function weightsOf({ deps }: OrderShop) {
  const rows = await deps.db
    .select()
    .from(records)
    .where(and(eq(records.boxId, 'BOX-1'), eq(records.kind, 'weight')))
    .orderBy(asc(records.seq))
  return rows.map(({ body }) => JSON.parse(body ?? ''))
}

const proofOf = async ({ app }: OrderShop, query: string) =>
  parseBundle((await app.inject(`/api/box/BOX-1/proof${query}`)).json())

for (const [name, open] of testDatabases) {
  test(`${name}: what a scale signed is the record of a weight, once, and a verifier finds it signed`, async () => {
    const { shop, scale } = await shopWithScale({ open })
    await using _ = shop
    const bytes = scale.weighing(said(1))
    const first = await weighed(shop, bytes)
    assert.ok(first.seq > 0)
    assert.deepEqual(await weighed(shop, bytes), first, 'the same again is the record that is there')
    const [record, ...more] = await weightsOf(shop)
    assert.deepEqual(more, [])
    const { time, scale: own } = readCoseWeighing(bytes)
    const mark = { form: 'cose', key: scale.id, bytes: hexOf(bytes) }
    assert.deepEqual(
      [record.at, record.data],
      [time, { of: 'box', grams: 10_000, scale: own, weighed: mark }],
    )
    assert.deepEqual(
      await post(shop, { of: 'box', grams: 10_000 }),
      first,
      'typed once more, it is known already',
    )
    const plain = await proofOf(shop, '')
    assert.equal(plain.devices, undefined, 'verifiers from before refuse registers there')
    const proof = await proofOf(shop, '?scales=1')
    assert.deepEqual(
      proof.devices?.map(({ box }) => box),
      [`device:${scale.id}`],
    )
    const ledger = fileLedger({ ...proof.ledger, count: 0, anchors: [] })
    const { verdict, records: found, balance } = await verifyBundle(proof, { ...ledger, live: true })
    assert.deepEqual(
      [verdict, found[first.seq - 1]?.signature],
      ['verified-up-to', { level: 'scale', key: scale.id, state: 'pending' }],
    )
    assert.equal(balance?.total, 10_000)
    const news = (await shop.app.inject('/api/box/BOX-1/proof/news?after=0-none&scales=1')).json()
    assert.equal(news.devices?.length, 1)
    assert.equal((await shop.app.inject('/api/box/BOX-1/proof/news?after=1-none')).json().devices, undefined)
  })

  test(`${name}: what no verifier would believe is refused by its name, and nothing is recorded`, async () => {
    const { shop, scale, phone } = await shopWithScale({ open })
    await using _ = shop
    const good = scale.scale(said(5))
    const forged = good.with(-1, (good.at(-1) ?? 0) ^ 1)
    assert.deepEqual(await refusal(shop, forged), ['signature', 'is not the signature of this k'])
    assert.deepEqual(await refusal(shop, good, 'BOX-2'), ['box', 'The signed box is BOX-1, not t'])
    assert.deepEqual(await refusal(shop, new Signer().scale(said(1))), [
      'key',
      'No device with this key is reg',
    ])
    assert.deepEqual(await refusal(shop, phone.scale(said(1))), ['key', 'is that of a phone or gateway:'])
    assert.deepEqual(await refusal(shop, scale.scale(said(1, { timeS: START_S + 9_000 }))), [
      'time',
      'must not be in the future',
    ])
    assert.deepEqual(await refusal(shop, scale.scale(said(1, { timeS: START_S - 9_000 }))), [
      'time',
      'is before the key became valid',
    ])
    assert.deepEqual(await refusal(shop, scale.scale(said(1, { grams: 0.5 }))), [
      'payload',
      'mass must be whole grams, from',
    ])
    assert.deepEqual(await refusal(shop, Buffer.from('d2', 'hex')), [
      'cose',
      'is not CBOR in the accepted fo',
    ])
    assert.deepEqual((await post(shop, { cose: 'D2' })).fields[0].path, 'cose')
    assert.equal((await post(shop, { cose: hexOf(good), grams: 1 })).status, 400, 'one or the other')
    assert.deepEqual(await weightsOf(shop), [])
    assert.ok((await weighed(shop, good)).seq)
    const { hash } = readCoseWeighing(good)
    assert.deepEqual(await refusal(shop, scale.scale(said(5, { grams: 9_000 }))), [
      'counter',
      'was used before: this scale ha',
    ])
    assert.deepEqual(await refusal(shop, scale.scale(said(4))), ['counter', 'is below 5, with which this sc'])
    assert.ok((await weighed(shop, scale.scale({ ...said(6), prev: hash }))).seq)
    assert.deepEqual(await refusal(shop, scale.scale({ ...said(7), prev: hash })), [
      'prev',
      'was used before: this scale ha',
    ])
    const other = await lateScale(shop)
    const { time } = readCoseWeighing(scale.scale(said(6)))
    assert.deepEqual(await refusal(shop, other.scale(said(5))), ['time', `is before ${time}`.slice(0, 30)])
    assert.ok(
      (await weighed(shop, other.scale(said(5, { of: 'catch' })))).seq,
      'of the catch is another weight',
    )
    const before = (await weightsOf(shop)).length
    const answer = await shop.admin('POST', `/api/device/${scale.id}/revoke`, { reason: 'lost' })
    assert.ok(answer.statusCode < 300, answer.body)
    assert.deepEqual(await refusal(shop, scale.scale(said(8))), ['key', 'This key was revoked.'])
    assert.ok((await weighed(shop, good)).seq, 'what was recorded before is there')
    assert.equal((await weightsOf(shop)).length, before)
  })

  test(`${name}: a signed weight below what is sold is refused; weighing again is the way back, and raised is raised`, async () => {
    const { shop, scale } = await shopWithScale({ open })
    await using _ = shop
    await weighed(shop, scale.weighing(said(1, { grams: 5_000 })))
    const head = scale.heads.get('scale BOX-1') ?? assert.fail()
    const { _id } = await shop.placed({ snapper: 4 })
    const line = { position: 1, grams: 4_000, boxes: [{ boxID: 'BOX-1', amount: 4_000 }] }
    assert.equal((await shop.admin('PUT', `/api/order/${_id}/packing`, { lines: [line] })).statusCode, 200)
    const less = scale.weighing(said(2, { grams: 3_999 }))
    assert.deepEqual(await refusal(shop, less), ['grams', '4.0 kg of this box are sold, l'])
    assert.equal((await shop.admin('PATCH', `/api/order/${_id}`, { status: 'PACKED' })).statusCode, 200)
    const again = scale.scale({ ...said(3, { grams: 6_000 }), prev: head })
    assert.ok((await weighed(shop, again)).seq, 'it goes on from the one that was taken')
    const history = await shop.deps.db
      .select()
      .from(records)
      .where(eq(records.boxId, 'BOX-1'))
      .orderBy(asc(records.seq))
    const { balance, problems } = weigh({ records: history.map(({ body }) => JSON.parse(body ?? '')) })
    assert.deepEqual([balance.total, balance.raised, problems], [6_000, { from: 5_000 }, []])
    const typed = await post(shop, { of: 'box', grams: 5_500 })
    assert.ok(typed.seq)
    assert.deepEqual(
      (await weightsOf(shop)).map(({ data }) => [data.grams, 'weighed' in data]),
      [
        [5_000, true],
        [6_000, true],
        [5_500, false],
      ],
    )
  })
}

/** A second scale, registered as early as the first. */
async function lateScale(shop: OrderShop): Promise<Signer> {
  shop.deps.now = () => new Date(NOW.getTime() - 3_600_000)
  const scale = await enrolled(shop.admin)
  shop.deps.now = () => NOW
  return scale
}

test('two statements of one counter at once: one is recorded', async () => {
  const { shop, scale } = await shopWithScale()
  await using _ = shop
  const answers = await Promise.all([
    weighed(shop, scale.scale(said(1))),
    weighed(shop, scale.scale(said(1, { grams: 9_000 }))),
    weighed(shop, scale.scale(said(1))),
  ])
  assert.equal((await weightsOf(shop)).length, 1)
  assert.ok(answers.some(({ status }) => status === 400))
})

test('a box without a catch, or sealed, takes no signed weight', async () => {
  const { shop, scale } = await shopWithScale()
  await using _ = shop
  await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-3', fisher })
  assert.equal((await weighed(shop, scale.scale(said(1, { box: 'BOX-3' })), 'BOX-3')).code, 'conflict')
  await shop.admin('POST', '/api/box/BOX-2/seal', {})
  assert.equal((await weighed(shop, scale.scale(said(1, { box: 'BOX-2' })), 'BOX-2')).code, 'box.sealed')
})
