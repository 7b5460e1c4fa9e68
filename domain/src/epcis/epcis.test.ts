import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recordsOfBox } from '../box-records.ts'
import { anyBox, sampleBox } from '../testing/boxes.ts'
import { boxesOfEvents, EpcisInput } from './box-of-events.ts'
import { bizSteps, computedElements, elements, lackingElements, valueAt } from './elements.ts'
import { type EpcisSource, epcisDocument, eventsOfBox } from './events-of-box.ts'
import { fsmaLine } from './fsma.ts'

const source = (box = sampleBox(), more: Partial<EpcisSource> = {}): EpcisSource => ({
  box,
  hasSensorResult: true,
  handovers: [],
  sales: [],
  weights: { caught: null, boxed: null },
  landedAt: null,
  economicZone: null,
  registeredAt: '2026-11-18 05:00:00',
  unit: 'https://shop.example/SFMBox/byId/X',
  host: 'shop.example',
  timeZone: 'Australia/Sydney',
  asOf: '2026-11-20T00:00:00.000Z',
  ...more,
})

const read = (document: unknown) => boxesOfEvents(EpcisInput.parse(JSON.parse(JSON.stringify(document))))

const plain = (facts: unknown) =>
  JSON.parse(JSON.stringify(facts, (name, value) => (name === 'txHash' ? undefined : value)))

test('a box that is exported and read again is the same facts, whatever it holds', () => {
  fc.assert(
    fc.property(anyBox, (box) => {
      const registeredAt = '2026-11-18 05:00:00'
      const { boxes, errors } = read(epcisDocument(source(box, { registeredAt })))
      assert.deepEqual(errors, [])
      const [found] = boxes
      assert.deepEqual([found?.boxID, boxes.length], [box.boxID, 1])
      const told = recordsOfBox({ ...box, freshness: [] }, { at: registeredAt, by: 'x' })
      const byLogger = Map.groupBy(told, (fact) => (fact.kind === 'tracking' ? fact.by : fact.kind))
      const expected = [...byLogger.values()].flat().map(({ kind, data }) => ({ kind, data }))
      const got = (found?.facts ?? []).map(({ kind, data }) => ({ kind, data }))
      const sorted = (facts: object[]) => facts.map((fact) => JSON.stringify(plain(fact))).sort()
      assert.deepEqual(sorted(got), sorted(expected))
    }),
    { numRuns: 60 },
  )
})

test('every step is there, with every element that is held, and what is not held is listed', () => {
  const box = sampleBox()
  const place = box.iotResult?.iotTracking.at(-1)
  const handover = {
    time: '2026-11-19 12:00:00',
    from: 'Boat',
    to: 'Market',
    temperature: 1.5,
    accepted: true,
    reason: '',
    latitude: -33.8,
    longitude: 151.2,
  }
  const events = eventsOfBox(
    source(box, {
      landedAt: place?.time ?? null,
      handovers: [handover],
      sales: [{ at: '2026-11-20 09:00:00', data: { product: 'Fish', grams: 450 } }],
    }),
  )
  const steps = new Set(events.map(({ bizStep }) => bizStep))
  assert.deepEqual([...steps].sort(), Object.values(bizSteps).sort())
  const lacking = lackingElements(events)
  assert.ok(lacking.every(({ isRecorded }) => isRecorded))
  assert.deepEqual(
    lacking.map(({ step, words }) => [step, words.length]),
    [
      ['Catch', 6],
      ['Landing', 1],
    ],
  )
  const held = elements.filter(({ step, path }) =>
    events.some((event) => event.bizStep === bizSteps[step] && valueAt(event, path) !== undefined),
  )
  assert.equal(held.length + 7, elements.length)
  assert.deepEqual(
    lackingElements(
      eventsOfBox(source({ ...box, catchProv: null, iotResult: null, imageProc: [], e_nose: [] })),
    ).map(({ step, isRecorded }) => [step, isRecorded]),
    [
      ['Catch', false],
      ['Landing', false],
      ['Shipping', false],
      ['Receiving', false],
      ['Temperatures and assessments', false],
      ['Sale', false],
    ],
  )
})

test('nothing is made up: no quantity, code or area that no record has', () => {
  const text = JSON.stringify(epcisDocument(source()))
  for (const name of [
    'vesselID',
    'vesselFlagState',
    'economicZone',
    'unloadingPort',
    'humanWelfarePolicy',
    '"quantity":',
  ])
    assert.ok(!text.includes(name), name)
})

test('weights are in the events and the sheet of what they are of, in kilograms', () => {
  const weights = { caught: 41_250, boxed: 38_200 }
  const events = eventsOfBox(source(sampleBox(), { weights }))
  const of = (step: string) => events.find(({ bizStep }) => bizStep === step)
  const [caught, packed] = [of(bizSteps.fishing), of(bizSteps.packing)]
  const kilograms = (event: unknown, list: string) =>
    [['quantity'], ['uom']].map((end) => valueAt(event, [list, '0', ...end]))
  assert.deepEqual(kilograms(caught, 'quantityList'), [41.25, 'KGM'])
  assert.deepEqual(kilograms(packed, 'childQuantityList'), [38.2, 'KGM'])
  assert.ok(!lackingElements(events).some(({ words }) => words.includes('weight')))
  const sheet = (of: EpcisSource['weights']) =>
    fsmaLine(source(sampleBox(), { weights: of }), { receiver: 'Shop', proofUrl: 'x' }).slice(2, 4)
  assert.deepEqual(sheet(weights), ['38.2', 'kg'])
  assert.deepEqual(sheet({ caught: 41_250, boxed: null }), ['41.25', 'kg'])
  assert.deepEqual(sheet({ caught: null, boxed: null }), ['', ''])
})

test('codes follow from what is recorded, are marked as computed, and are left out where they are not certain', () => {
  const box = sampleBox()
  const { catchProv } = box
  if (catchProv === null) assert.fail('no catch')
  const codes = (more: Partial<typeof catchProv>, zone: string | null = null) => {
    const caught = {
      ...catchProv,
      method: 'line',
      species: 'Snapper',
      latitude: -33.9,
      longitude: 151.5,
      ...more,
    }
    const events = eventsOfBox(source({ ...box, catchProv: caught }, { economicZone: zone }))
    const event = events.find(({ bizStep }) => bizStep === bizSteps.fishing)
    const vessel = ['ilmd', 'cbvmda:vesselCatchInformationList', 'cbvmda:vesselCatchInformation', '0']
    const found = [
      ['ilmd', 'cbvmda:speciesForFisheryStatisticsPurposesCode'],
      [...vessel, 'cbvmda:catchArea', '0'],
      [...vessel, 'cbvmda:economicZone'],
      [...vessel, 'cbvmda:fishingGearTypeCode'],
    ].map((path) => valueAt(event, path))
    const marked = (event?.['befaqt:computed'] ?? []) as string[]
    assert.equal(marked.length, found.filter((code) => code !== undefined).length)
    assert.equal(computedElements(events).length, marked.length)
    return found
  }
  const none = undefined
  assert.deepEqual(codes({}, 'AUS'), ['GSU', '81', 'AUS', 'LX'])
  assert.deepEqual(codes({ species: 'Flathead', method: 'Net' }), [none, '81', none, none])
  assert.deepEqual(codes({ species: 'constructor', method: '__proto__', latitude: 0, longitude: 0 }), [
    none,
    none,
    none,
    none,
  ])
  assert.deepEqual(codes({ species: 'kingfish', method: 'Trolling', latitude: -16, longitude: 146 }), [
    'YTC',
    '71',
    none,
    'LTL',
  ])
  assert.deepEqual(codes({ species: 'Thunnus obesus', method: '', latitude: -32, longitude: 115 }), [
    'BET',
    '57',
    none,
    none,
  ])
  for (const latitude of [-25, -28.15, -28.4])
    assert.equal(codes({ latitude, longitude: 153.8 })[1], none, 'near the border of two areas')
})

const foreign = (namespace: string) => ({
  '@context': [
    'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
    { gdst: namespace, cbvmda: 'urn:epcglobal:cbv:mda:' },
  ],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-11-20T00:00:00Z',
  epcisBody: {
    eventList: [
      {
        type: 'ObjectEvent',
        action: 'ADD',
        bizStep: 'urn:gdst:bizStep:fishingEvent',
        eventTime: '2026-11-18T05:00:00Z',
        eventTimeZoneOffset: '+11:00',
        quantityList: [
          { epcClass: 'https://id.gs1.org/01/09506000134352/10/LOT-7', quantity: 20, uom: 'KGM' },
        ],
        readPoint: { id: 'geo:-33.5,152.1' },
        'gdst:productOwner': 'urn:gdst:other.example:party:coop%2E1',
        ilmd: {
          'cbvmda:speciesForFisheryStatisticsPurposesName': 'Snapper',
          'cbvmda:vesselCatchInformationList': {
            'cbvmda:vesselCatchInformation': [{ 'cbvmda:vesselName': 'Sample', 'cbvmda:catchArea': ['57'] }],
          },
        },
      },
      {
        type: 'ObjectEvent',
        action: 'OBSERVE',
        bizStep: 'urn:gdst:bizStep:landing',
        eventTime: '2026-11-19T05:00:00Z',
        eventTimeZoneOffset: '+11:00',
        quantityList: [{ epcClass: 'https://id.gs1.org/01/09506000134352/10/LOT-7' }],
      },
      {
        type: 'ObjectEvent',
        action: 'OBSERVE',
        bizStep: 'sensor_reporting',
        eventTime: '2026-11-19T06:00:00Z',
        eventTimeZoneOffset: '+11:00',
        readPoint: { id: 'geo:-33.6,151.9' },
        quantityList: [{ epcClass: 'https://id.gs1.org/01/09506000134352/10/LOT-7' }],
        sensorElementList: [
          {
            sensorMetadata: { deviceID: 'urn:epc:id:giai:0614141.L9' },
            sensorReport: [{ type: 'Temperature', value: 1.25, uom: 'CEL' }],
          },
        ],
      },
    ],
  },
})

test('documents of others are read, with the slash in the namespace and without', () => {
  const [slash, bare] = [
    'https://traceability-dialogue.org/epcis/',
    'https://traceability-dialogue.org/epcis',
  ].map((namespace) => read(foreign(namespace)))
  assert.deepEqual(slash, bare)
  assert.deepEqual(slash?.errors, [])
  const [box] = slash?.boxes ?? []
  assert.deepEqual([box?.boxID, box?.notTaken], ['LOT-7', ['landing']])
  assert.deepEqual(
    box?.facts.map(({ kind, at, by }) => [kind, at, by]),
    [
      ['registration', '2026-11-18T05:00:00Z', 'coop.1'],
      ['catch', '2026-11-18T05:00:00Z', 'coop.1'],
      ['tracking', '2026-11-19T06:00:00Z', 'L9'],
    ],
  )
  const reading = box?.facts[2]?.data as { latitude: number; temperature: number }
  assert.deepEqual([reading.latitude, reading.temperature], [-33.6, 1.25])
})

test('each bad field is named by its path', () => {
  const document = structuredClone(foreign('https://traceability-dialogue.org/epcis/')) as {
    epcisBody: { eventList: Record<string, unknown>[] }
  }
  const { eventList } = document.epcisBody
  eventList[2] = {
    ...eventList[2],
    sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: -300, uom: 'FAH' }] }],
  }
  eventList.push({ type: 'ObjectEvent', bizStep: 'packing' })
  eventList.push({ ...eventList[0], eventTime: 'yesterday' })
  assert.deepEqual(
    read(document).errors.map(({ path }) => path),
    [
      'epcisBody.eventList[3]',
      'epcisBody.eventList[2].sensorElementList[0]',
      'epcisBody.eventList[2].sensorElementList[0].temperature',
      'epcisBody.eventList[4] (time)',
    ],
  )
  for (const wrong of [
    {},
    { type: 'EPCISDocument' },
    { ...document, schemaVersion: '1.2' },
    { ...document, epcisBody: { eventList: [] } },
  ])
    assert.equal(EpcisInput.safeParse(wrong).success, false)
})
