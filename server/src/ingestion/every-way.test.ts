import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import type { FieldReading } from '@befaqt/domain/box'
import { type BoxRecord, genesisHead, headAfter, recordHash, toHex } from '@befaqt/provenance'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import { suppliers } from '#server/db/schema/suppliers.ts'
import { anchoringWorld } from '#server/testing/anchoring.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { openTestBroker, trackingOf } from '#server/testing/mqtt.ts'
import { historyOf, keyFor, shopWithBoxes } from '#server/testing/readings.ts'
import { enrolled, hexOf } from '#server/testing/signed-readings.ts'

const BEGAN = Date.parse('2026-11-19T10:00:00Z')
const TEN_MINUTES = 600_000
const SENSOR = 'urn:dev:mac:0024befffe804ff1'
const fisher = { traderID: 'T-1', traderName: 'Ann', companyName: '', boat: 'Gannet', address: '' }
const place = { latitude: -33.9, longitude: 151.3 }
const caught = { boat: 'Gannet', species: 'Snapper', size: '45 cm', method: 'Line', note: '' }
const handed = {
  from: 'Ann',
  to: 'Sydney Fish Market',
  temperature: 1.5,
  accepted: true,
  reason: '',
  ...place,
}

type Way = {
  register(box: string, time: string): Promise<void>
  /** A reading as it is, or what a device signed of it: a logger's bytes, or JSON. */
  read(reading: FieldReading, signed: Uint8Array | object | undefined): Promise<void>
  handOver(box: string, time: string): Promise<void>
}

type Same = (record: BoxRecord) => BoxRecord | undefined

/** The head of records as it would be with the same box and the same salts; `same` leaves out what differs by the way. */
function headOf(history: readonly BoxRecord[], same: Same = (record) => record): string {
  const heads = history.flatMap((record) => same(record) ?? [])
  const head = heads.reduce((head, record, i) => {
    const one = { ...record, box: 'X', seq: i + 1, salt: '0'.repeat(32), data: withoutBox(record.data) }
    return headAfter(head, recordHash(one))
  }, genesisHead('X'))
  return toHex(head)
}

/** Signed bytes name the box. */
const withoutBox = ({ signed, ...data }: BoxRecord['data']): BoxRecord['data'] =>
  typeof signed === 'object' && signed !== null && !Array.isArray(signed)
    ? { ...data, signed: { ...signed, bytes: '', text: '', signature: '' } }
    : data

/** Who recorded a hand-over: the account of the phone, or a manager. */
const byWhom: Same = (record) => (record.kind === 'handover' ? { ...record, by: '' } : record)

/** A file of a logger has no positions and no signatures; its records name it. */
const lineOfFile: Same = (record) => {
  if (record.kind !== 'tracking') return record
  const { time = '', iotID = '', temperature = 0 } = record.data
  return { ...record, data: { time, iotID, temperature } }
}

/** A document is taken as a whole, as a Box is: without assessments after each reading, signatures and hand-overs. */
const event: Same = (record) => {
  if (record.kind === 'freshness' || record.kind === 'handover') return undefined
  const { txHash: _, sent: _key, signed: _mark, ...data } = record.data
  return { ...record, data }
}

for (const [name, open] of testDatabases)
  test(`${name}: the same facts, one by one, have the same head and verdict by HTTP, MQTT, a phone, files of loggers and EPCIS`, async () => {
    let now = BEGAN
    await using shop = await shopWithBoxes([], { open, deps: { now: () => new Date(now) } })
    await using broker = await openTestBroker(shop.deps)
    const { admin, deps } = shop
    const supplier = await callerOf(shop, 'ann', 'SUPPLIER')
    await deps.db.insert(suppliers).values({ userId: 'ann', fisher, party: 'Ann' })
    const [logger, gateway] = [await enrolled(admin), await enrolled(admin, 'gateway')]
    const headers = { authorization: `Bearer ${await keyFor(shop, 'record:write')}` }
    const device = await broker.device(headers.authorization.slice(7))
    const withKey: Caller = async (method, url, payload = '', more = {}) =>
      shop.app.inject({ method, url, payload, headers: { ...headers, ...more } })
    const must = async (answer: ReturnType<Caller>, status = 201) => {
      const { statusCode, body } = await answer
      assert.equal(statusCode, status, body)
      return JSON.parse(body)
    }
    await must(admin('POST', '/api/manage/supplier/ann/labels', { first: 'WAY-PHONE-1', count: 1 }))

    const http: Way = {
      register: async (boxID, time) => {
        await must(admin('POST', '/api/box/registration', { boxID, fisher }))
        const where = { ...place, locationCodeLat: place.latitude, locationCodeLong: place.longitude }
        await must(admin('POST', `/api/box/${boxID}/catch`, { ...caught, ...where, time, img: '' }))
      },
      read: async (reading, signed) => {
        const one = signed instanceof Uint8Array ? { cose: hexOf(signed) } : (signed ?? reading)
        const answer = await must(withKey('POST', '/api/tracking', { readings: [one] }), 200)
        assert.deepEqual(answer, { accepted: 1, duplicates: 0, refused: [] })
      },
      handOver: async (box, time) =>
        void (await must(admin('POST', `/api/box/${box}/handover`, { ...handed, time }))),
    }
    const mqtt: Way = {
      ...http,
      read: async ({ box, ...reading }, signed = reading) => {
        const { box: _, ...unboxed } = signed as { box?: string }
        const payload = signed instanceof Uint8Array ? Buffer.from(signed) : JSON.stringify(unboxed)
        await device.publishAsync(trackingOf(box), payload, { qos: 1 })
      },
    }
    const enter = (box: string, time: string, what: object) => {
      const made = { id: randomUUID(), madeBy: 'ann', madeAt: time, sentAt: time, box, ...place, accuracy: 9 }
      return must(supplier('POST', '/api/field/entry', { entry: { ...made, ...what } }))
    }
    const phone: Way = {
      ...mqtt,
      register: (box, time) => enter(box, time, { kind: 'catch', ...caught }),
      handOver: (box, time) => enter(box, time, { kind: 'handover', ...handed }),
    }
    const file: Way = {
      ...http,
      read: async ({ box, time, temperature, iotID }) => {
        const map = { delimiter: ';', headerLine: 1, time: 'At', date: '', order: 'ymd', zone: 'UTC' }
        const more = { value: 'C', unit: 'C', decimal: '.', serial: '' }
        const asked = { box, map: JSON.stringify({ ...map, ...more }), serial: iotID, dryRun: '0' }
        const url = `/api/tracking/file?${new URLSearchParams(asked)}`
        const bytes = Buffer.from(`At;C\n${time.replace('T', ' ').slice(0, 19)};${temperature}\n`)
        const report = await must(withKey('POST', url, bytes, { 'content-type': 'text/csv' }), 200)
        assert.equal(report.accepted, 1, JSON.stringify(report))
      },
    }

    const ways = { 'WAY-HTTP': http, 'WAY-MQTT': mqtt, 'WAY-PHONE-1': phone, 'WAY-FILE': file }
    const boxIDs = [...Object.keys(ways), 'WAY-EPCIS']
    const each = (work: (way: Way, box: string) => Promise<unknown>): Promise<void> =>
      Object.entries(ways).reduce(
        (before, [box, way]) => before.then(() => work(way, box)).then(() => undefined),
        Promise.resolve(),
      )
    const timeNow = (): string => new Date(now).toISOString()
    const next = (): number => (now += TEN_MINUTES)
    await each((way, box) => way.register(box, `${timeNow().slice(0, 19)}Z`))
    for (const [i, temperature] of [2, 6.5, -0.25, 3].entries()) {
      next()
      await each(async (way, box) => {
        const reading = { time: timeNow(), ...place, iotID: SENSOR, temperature }
        const counter = i + 1
        if (i % 3 === 0) return way.read({ box, ...reading }, undefined)
        const readings = [
          { timeS: now / 1000, temperature, place: [place.latitude, place.longitude] as const },
        ]
        if (i === 1) return way.read({ box, ...reading }, logger.logger({ box, counter, readings }))
        const mark = gateway.jcsMark(reading, { box, counter })
        const signature = mark.form === 'jcs' ? mark.signature : ''
        return way.read({ box, ...reading }, { ...reading, box, key: gateway.id, counter, signature })
      })
    }
    const document = (await shop.app.inject('/api/box/WAY-HTTP/epcis')).body
    const { boxes } = await must(
      admin('POST', '/api/box/epcis', JSON.parse(document.replaceAll('WAY-HTTP', 'WAY-EPCIS'))),
      200,
    )
    assert.deepEqual([boxes[0].boxID, boxes[0].outcome], ['WAY-EPCIS', 'created'])
    next()
    await each((way, box) => way.handOver(box, `${timeNow().slice(0, 19)}Z`))

    const [byHttp = [], byMqtt = [], byPhone = [], byFile = [], byEpcis = []] = await Promise.all(
      boxIDs.map((box) => historyOf(deps.db, box)),
    )
    assert.equal(headOf(byMqtt), headOf(byHttp), 'byte for byte')
    assert.equal(headOf(byPhone, byWhom), headOf(byHttp, byWhom))
    assert.equal(headOf(byFile, lineOfFile), headOf(byHttp, lineOfFile))
    assert.equal(headOf(byEpcis, event), headOf(byHttp, event))
    for (const [history, same] of [
      [byPhone, undefined],
      [byFile, byWhom],
      [byEpcis, lineOfFile],
    ] as const)
      assert.notEqual(headOf(history, same), headOf(byHttp, same), 'what is left out is all that differs')

    const world = anchoringWorld(deps.db, deps.chain)
    await world.pass()
    const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { contract } = await world.ledger()
    const reader = rpcLedger(`${address}${readChain.url}`, fetch, { contract })
    const figures: unknown[] = []
    for (const box of boxIDs) {
      const { verdict, words } = await verifyBundle(
        (await shop.app.inject(`/api/box/${box}/proof`)).json(),
        reader,
      )
      assert.deepEqual([box, verdict], [box, 'verified'], words)
      const { iotTracking, ...sensor } = (await shop.app.inject(`/api/box/${box}`)).json().iotResult
      figures.push({ ...sensor, latitude: 0, longitude: 0, readings: iotTracking.length })
    }
    assert.equal(byHttp.filter(({ kind }) => kind === 'tracking').length, 4)
    assert.equal(new Set(figures.map((one) => JSON.stringify(one))).size, 1, JSON.stringify(figures))
  })
