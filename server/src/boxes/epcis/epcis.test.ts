import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import jsonld from 'jsonld'
import type { Db } from '#server/db/client.ts'
import { callerOf, owner } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { epcisTestContext } from '#server/testing/epcis-context.ts'
import { historyOf, keyFor, shopWithBoxes } from '#server/testing/readings.ts'
import { chosenIds, listTrade } from './chosen-boxes.ts'
import { readEpcisSource, readEpcisSources } from './trade-documents.ts'

/** GS1's schema, where it is beside the project. */
const SCHEMA = fileURLToPath(
  new URL('../../../../../shared/data/epcis/EPCIS-JSON-Schema.json', import.meta.url),
)

const boxID = sampleBox().boxID

async function shopWithSample() {
  const shop = await shopWithBoxes(['BOX-1'], { env: { PUBLIC_URL: 'https://shop.example' } })
  const made = await shop.admin('POST', '/api/box', sampleBox())
  assert.equal(made.statusCode, 201, made.body)
  const time = '2026-11-19 23:00:00'
  const handover = {
    time,
    from: 'x',
    to: 'Market',
    temperature: 1.5,
    accepted: true,
    reason: '',
    latitude: 0,
    longitude: 0,
  }
  const refused = await shop.admin('POST', `/api/box/${boxID}/handover`, handover)
  const from =
    refused.json().error.details?.holder ?? /held by (.*): only/.exec(refused.json().error.message)?.[1]
  const handed = await shop.admin('POST', `/api/box/${boxID}/handover`, { ...handover, from })
  assert.ok(handed.statusCode < 300, handed.body)
  return shop
}

test('the document is valid by GS1’s schema', {
  skip: !existsSync(SCHEMA) && 'GS1’s schema is not beside the project',
}, async () => {
  await using shop = await shopWithSample()
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')))
  for (const what of ['catch', 'box'])
    await shop.admin('POST', `/api/box/${boxID}/weight`, { of: what, grams: 41_000 })
  for (const id of [boxID, 'BOX-1']) {
    const answer = await shop.app.inject(`/api/box/${id}/epcis`)
    assert.match(String(answer.headers['content-type']), /^application\/ld\+json/)
    assert.ok(validate(answer.json()), JSON.stringify(validate.errors?.slice(0, 5), null, 1))
  }
  const broken = (await shop.app.inject(`/api/box/${boxID}/epcis`)).json()
  delete broken.epcisBody.eventList[0].eventTimeZoneOffset
  assert.equal(validate(broken), false, 'a check that can fail')
})

/** Every leaf of a document, and every value of its expansion. */
const leaves = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value]

async function expand(document: object): Promise<unknown> {
  const documentLoader = async (url: string) => {
    assert.match(url, /epcis-context\.jsonld$/, 'nothing else is fetched')
    return { contextUrl: null, documentUrl: url, document: epcisTestContext }
  }
  return jsonld.expand(document, { documentLoader, safe: true })
}

test('a JSON-LD 1.1 processor keeps every field', async () => {
  await using shop = await shopWithSample()
  const document = (await shop.app.inject(`/api/box/${boxID}/epcis`)).json()
  const expanded = await expand(document) // safe mode throws where a field is dropped
  const kept = new Set(leaves(expanded).map(String))
  const lost = leaves(document.epcisBody.eventList).filter((leaf) => {
    const text = String(leaf)
    return ![...TERMS, ''].includes(text) && !kept.has(text)
  })
  assert.deepEqual(lost, [])
  assert.ok(JSON.stringify(expanded).includes('https://traceability-dialogue.org/epcis/productOwner'))
  const bare = JSON.parse(JSON.stringify(document).replaceAll('.org/epcis/"', '.org/epcis"'))
  assert.ok(!JSON.stringify(await expand(bare)).includes('/productOwner'), 'a check that can fail')
})

/** Values that a processor replaces by the URI of what they name. */
const TERMS = [
  'ObjectEvent',
  'AggregationEvent',
  'Temperature',
  'Angle',
  'Dimensionless',
  'owning_party',
  'active',
  'packing',
  'shipping',
  'receiving',
  'sensor_reporting',
  'retail_selling',
]

test('weights fill quantity and unit, the newest of each; those that contradict each other fill nothing', async () => {
  await using shop = await shopWithSample()
  const weigh = async (of: string, grams: number) => {
    const answer = await shop.admin('POST', `/api/box/${boxID}/weight`, { of, grams })
    assert.equal(answer.statusCode, 201, answer.body)
  }
  const sheet = async () => {
    const answer = await shop.admin('GET', `/api/box/epcis?profile=fsma204&box=${boxID}`)
    return answer.body.trim().split('\r\n')[1]?.split(',').slice(2, 4)
  }
  assert.deepEqual(await sheet(), ['', ''])
  await weigh('catch', 40_000)
  await weigh('catch', 41_000)
  assert.deepEqual(await sheet(), ['41', 'kg'])
  await weigh('box', 38_200)
  assert.deepEqual(await sheet(), ['38.2', 'kg'])
  const { eventList } = (await shop.app.inject(`/api/box/${boxID}/epcis`)).json().epcisBody
  const packed = eventList.find(({ bizStep }: { bizStep: string }) => bizStep === 'packing')
  assert.deepEqual([eventList[0].quantityList[0].quantity, packed.childQuantityList[0].uom], [41, 'KGM'])
  const listed = (await shop.admin('GET', `/api/manage/trade?box=${boxID}`)).json().rows[0]
  assert.deepEqual([listed.blank, listed.lacking.includes('Catch: weight')], [[], false])
})

test('an exported box that is imported elsewhere has the same facts; again it adds nothing; a dry run changes nothing', async () => {
  await using shop = await shopWithSample()
  const document = (await shop.app.inject(`/api/box/${boxID}/epcis`)).json()
  await using other = await shopWithBoxes([])
  const key = await keyFor(other, 'box:write')
  const send = (payload: unknown, url = '/api/box/epcis', type = 'application/ld+json') =>
    other.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      payload: JSON.stringify(payload),
    })
  const dry = await send(document, '/api/box/epcis?dry=true')
  assert.equal(dry.json().boxes[0].outcome, 'created', dry.body)
  assert.equal((await other.app.inject(`/api/box/${boxID}`)).statusCode, 404)
  const done = await send(document, '/api/box/epcis', 'application/json')
  assert.deepEqual(
    done.json().boxes[0].notTaken,
    ['landing', 'handover'].filter((step) => done.json().boxes[0].notTaken.includes(step)),
  )
  const facts = async (db: typeof other.deps.db) =>
    (await historyOf(db, boxID))
      .filter(({ kind }) => !['freshness', 'handover'].includes(kind))
      .map(({ kind, at, by, data }) => JSON.stringify({ kind, at, by, data: { ...data, txHash: null } }))
  assert.deepEqual((await facts(other.deps.db)).sort(), (await facts(shop.deps.db)).sort())
  const records = (await historyOf(other.deps.db, boxID)).length
  assert.equal((await send(document)).json().boxes[0].outcome, 'unchanged')
  const changed = JSON.parse(JSON.stringify(document).replaceAll(sampleBox().fisher.boat, 'Another'))
  assert.equal((await send(changed)).statusCode, 409)
  assert.equal((await send(changed, '/api/box/epcis?dry=true')).json().boxes[0].outcome, 'differs')
  assert.equal((await historyOf(other.deps.db, boxID)).length, records)
})

test('who may import and export, and what is refused', async () => {
  await using shop = await shopWithSample()
  const document = (await shop.app.inject(`/api/box/${boxID}/epcis`)).json()
  const user = await callerOf(shop, 'somebody', 'USER')
  assert.equal(
    (await shop.app.inject({ method: 'POST', url: '/api/box/epcis', payload: document })).statusCode,
    401,
  )
  assert.equal((await user('POST', '/api/box/epcis', document)).statusCode, 403)
  const key = await keyFor(shop, 'box:write', ['BOX-1'])
  const headers = { authorization: `Bearer ${key}` }
  assert.equal(
    (await shop.app.inject({ method: 'POST', url: '/api/box/epcis', payload: document, headers })).statusCode,
    403,
  )
  const future = JSON.parse(
    JSON.stringify(document).replaceAll(boxID, 'NEW-1').replaceAll('2026-11-', '2036-11-'),
  )
  const late = await shop.admin('POST', '/api/box/epcis', future)
  assert.match(late.json().error.fields[0].message, /future/)
  for (const wrong of [{}, [], { ...document, type: 'EPCISQueryDocument' }])
    assert.equal((await shop.admin('POST', '/api/box/epcis', wrong)).statusCode, 400)
  const csv = '/api/box/epcis?profile=fsma204&from=2026-11-01&to=2026-11-30'
  assert.equal((await shop.app.inject(csv)).statusCode, 401)
  const sheet = await shop.admin('GET', csv)
  const lines = sheet.body.replace('\uFEFF', '').trim().split('\r\n')
  assert.match(lines[0] ?? '', /^Traceability lot code,Species,/)
  assert.equal(lines.length, 2, sheet.body)
  assert.match(lines[1] ?? '', new RegExp(`^${boxID},${sampleBox().catchProv?.species},`))
  const few = { where: undefined, total: 2, changedAt: new Date(0), field: 'to' as const }
  await assert.rejects(chosenIds(shop.deps.db, few, 1), { code: 'input.invalid' }, 'never cut short')
  const none = await shop.app.inject({ url: csv, headers })
  assert.equal(none.body.trim().split('\r\n').length, 1, 'a limited key sees its own boxes')
  for (const query of [
    '',
    '?profile=x&from=2026-11-01&to=2026-11-30',
    '?profile=fsma204&from=2026-11-30&to=2026-11-01',
    '?profile=fsma204&from=2024-11-30&to=2026-11-01',
  ])
    assert.equal((await shop.admin('GET', `/api/box/epcis${query}`)).statusCode, 400, query)
  const trade = (await shop.app.inject(`/api/box/${boxID}/trade`)).json()
  assert.ok(
    trade.lacking.some(({ words }: { words: string[] }) => words.includes('registration of the vessel')),
  )
  assert.ok(trade.computed.includes('Catch: catch area (FAO)'), 'the position says it')
  assert.equal((await shop.app.inject('/api/box/nope/epcis')).statusCode, 404)
})

test('documents of several boxes hold those that are named or caught on the days, and can be imported', async () => {
  await using shop = await shopWithSample()
  const days = 'from=2026-11-01&to=2026-11-30'
  const both = `box=${boxID},BOX-1`
  const answer = await shop.admin('GET', `/api/box/epcis?profile=gdst&${both}`)
  assert.match(String(answer.headers['content-type']), /^application\/ld\+json/)
  const document = answer.json()
  const single = async (id: string) => (await shop.app.inject(`/api/box/${id}/epcis`)).json()
  assert.deepEqual(document.epcisBody.eventList, [
    ...(await single(boxID)).epcisBody.eventList,
    ...(await single('BOX-1')).epcisBody.eventList,
  ])
  assert.equal((await shop.admin('GET', `/api/box/epcis?profile=gdst&${both}`)).body, answer.body)
  const ofDays = await shop.admin('GET', `/api/box/epcis?profile=gdst&${days}`)
  assert.deepEqual(
    ofDays.json().epcisBody,
    (await single(boxID)).epcisBody,
    'without a catch it is of no day',
  )
  const sheet = await shop.admin('GET', `/api/box/epcis?profile=fsma204&${both}`)
  assert.equal(sheet.body.trim().split('\r\n').length, 3, sheet.body)
  await using other = await shopWithBoxes([])
  const imported = await other.admin('POST', '/api/box/epcis', document)
  assert.deepEqual(
    imported.json().boxes.map(({ boxID: id, outcome }: { boxID: string; outcome: string }) => [id, outcome]),
    [
      [boxID, 'created'],
      ['BOX-1', 'created'],
    ],
  )

  const listed = await shop.admin('GET', `/api/manage/trade?${both}`)
  const { rows, total } = listed.json()
  assert.equal(total, 2, listed.body)
  assert.deepEqual(
    rows.map(({ boxID: id }: { boxID: string }) => id),
    [boxID, 'BOX-1'],
  )
  assert.ok(rows[0].lacking.includes('Catch: registration of the vessel'), listed.body)
  assert.deepEqual(rows[0].blank, ['Quantity', 'Unit of measure'])
  assert.ok(rows[1].lacking.includes('Catch: not recorded') && rows[1].blank.includes('Species'))
  const unknown = await shop.admin('GET', '/api/manage/trade?box=BOX-1,BOX-9')
  assert.deepEqual(unknown.json().error.fields, [{ path: 'box', message: 'There is no box BOX-9.' }])
  for (const query of ['', `?${days}&${both}`, '?box=a%20b', '?from=2026-11-01'])
    assert.equal((await shop.admin('GET', `/api/manage/trade${query}`)).statusCode, 400, query)

  const headers = { authorization: `Bearer ${await keyFor(shop, 'box:write', ['BOX-1'])}` }
  const limited = (query: string) => shop.app.inject({ url: `/api/manage/trade?${query}`, headers })
  assert.equal((await limited(days)).json().total, 0, 'a limited key sees its own boxes')
  assert.equal((await limited('box=BOX-1')).json().total, 1)
  assert.equal((await limited(both)).statusCode, 403)
  const refused = { url: `/api/box/epcis?profile=gdst&${both}`, headers }
  assert.equal((await shop.app.inject(refused)).statusCode, 403)
})

for (const [name, open] of testDatabases)
  test(`${name}: twenty boxes of the list of trade take as many statements as two`, async (t) => {
    const ids = Array.from({ length: 20 }, (_, i) => `MANY-${i + 1}`)
    await using shop = await shopWithBoxes(ids, { open })
    const together = readEpcisSources(shop.deps, ids)
    for (const id of ids)
      assert.deepEqual((await together.next()).value, await readEpcisSource(shop.deps, id))
    assert.equal((await together.next()).done, true)
    const statementsOf = (boxes: number): Promise<number> =>
      shop.deps.db.transaction(async (tx) => {
        const { mock } = t.mock.method(Reflect.get(tx, 'session'), 'prepareQuery')
        const box = ids.slice(0, boxes)
        const { rows } = await listTrade({ ...shop.deps, db: tx as Db }, owner, { box })
        assert.deepEqual(new Set(rows.map(({ boxID }) => boxID)), new Set(box))
        return mock.callCount()
      })
    assert.equal(await statementsOf(20), await statementsOf(2))
  })
