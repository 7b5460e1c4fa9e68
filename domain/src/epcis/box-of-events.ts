import { z } from 'zod'
import { CatchProv, EnoseResult, Fisher, ImageResult, SensorResult, TrackingReading } from '../box.ts'
import type { Fact } from '../box-records.ts'
import { BoxID, When } from '../box-values.ts'
import type { FieldError } from '../errors.ts'
import { MAX_DOCUMENT_BOXES } from '../limits.ts'
import { Handover } from '../supplier.ts'
import { bizSteps, GDST, lastPart, valueAt } from './elements.ts'

/** Events of one document. */
export const MAX_EVENTS = 20_000

/** What is taken for a document, before its events are read. */
export const EpcisInput = z.object({
  '@context': z.unknown(),
  type: z.literal('EPCISDocument', 'must be EPCISDocument'),
  schemaVersion: z.string('must be text').regex(/^2\./, 'must be 2.0'),
  epcisBody: z.object(
    {
      eventList: z
        .array(z.record(z.string(), z.unknown(), 'must be an object'), 'must be a list')
        .min(1, 'must hold an event')
        .max(MAX_EVENTS, `must hold at most ${MAX_EVENTS} events`),
    },
    'must be an object',
  ),
})
export type EpcisInput = z.infer<typeof EpcisInput>

type Event = Readonly<Record<string, unknown>>

/** What a document says of one box: facts in the order of records, and what was left out. */
export type ImportedBox = { boxID: string; facts: Fact[]; handovers: Handover[]; notTaken: string[] }

const schemas = {
  registration: Fisher,
  catch: CatchProv.omit({ txHash: true }),
  'sensor-result': SensorResult,
  'image-result': ImageResult.omit({ txHash: true }),
  'enose-result': EnoseResult.omit({ txHash: true }),
  handover: Handover,
} as const
type OwnKind = keyof typeof schemas

/** Reads boxes out of a document, ours or another's. Every bad field is in `errors` with its path. */
export function boxesOfEvents({ '@context': context, epcisBody: { eventList } }: EpcisInput): {
  boxes: ImportedBox[]
  errors: FieldError[]
} {
  const errors: FieldError[] = []
  const byBox = new Map<string, { event: Event; path: string }[]>()
  const names = namesOfUnits(eventList)
  for (const [i, raw] of eventList.entries()) {
    const path = `epcisBody.eventList[${i}]`
    const event = withSlash(raw, context)
    const boxID = boxOf(event, names)
    if (boxID === undefined) errors.push({ path, message: 'names no box: no lot and no unit that is one' })
    else if (!BoxID.safeParse(boxID).success)
      errors.push({ path, message: `names the box ${boxID.slice(0, 80)}, which can’t be the id of one` })
    else byBox.set(boxID, [...(byBox.get(boxID) ?? []), { event, path }])
  }
  if (byBox.size > MAX_DOCUMENT_BOXES)
    errors.push({ path: 'epcisBody.eventList', message: `names more than ${MAX_DOCUMENT_BOXES} boxes` })
  const boxes = [...byBox].map(([boxID, events]) => readBox(boxID, events, errors))
  return { boxes, errors }
}

/** The `gdst` prefix of a document; fields of one without the slash are named as with it. */
function withSlash(event: Event, context: unknown): Event {
  const bare = GDST.slice(0, -1)
  const prefixes = [context]
    .flat()
    .flatMap((part) => (typeof part === 'object' && part !== null ? Object.entries(part) : []))
    .filter(([, uri]) => uri === bare || uri === GDST)
    .map(([prefix]) => `${prefix}:`)
  const rename = (name: string): string => {
    const prefix = [...prefixes, GDST, bare].find((one) => name.startsWith(one))
    return prefix === undefined ? name : `gdst:${name.slice(prefix.length)}`
  }
  const walk = (value: unknown, depth: number): unknown => {
    if (depth > 12 || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one) => walk(one, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [rename(name), walk(inner, depth + 1)]),
    )
  }
  return walk(event, 0) as Event
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The lot of a class: the last part of a URN, or what a Digital Link or an LGTIN names. */
function lotOf(epcClass: string): string | undefined {
  const lot = /\/10\/([^/?#]+)/.exec(epcClass)?.[1]
  return lot === undefined ? (epcClass === '' ? undefined : lastPart(epcClass)) : lastPart(`:${lot}`)
}

const lotIn = (event: Event): string | undefined =>
  lotOf(text(valueAt(event, ['quantityList', '0', 'epcClass']))) ??
  lotOf(text(valueAt(event, ['childQuantityList', '0', 'epcClass'])))

const unitIn = (event: Event): string => text(event.parentID) || text(valueAt(event, ['epcList', '0']))

/** Which lot is in which unit, from the events that name both. */
function namesOfUnits(events: readonly Event[]): Map<string, string> {
  const named = new Map<string, string>()
  for (const event of events) {
    const [unit, lot] = [unitIn(event), lotIn(event)]
    if (unit !== '' && lot !== undefined) named.set(unit, lot)
  }
  return named
}

const boxOf = (event: Event, names: ReadonlyMap<string, string>): string | undefined =>
  lotIn(event) ?? names.get(unitIn(event))

type Placed = { event: Event; path: string }

function readBox(boxID: string, events: readonly Placed[], errors: FieldError[]): ImportedBox {
  const registeredAt = registrationTime(events, errors)
  const notTaken = new Set<string>()
  const facts: Fact[] = []
  const handovers: Handover[] = []
  for (const placed of events) {
    const kind = text(placed.event['befaqt:kind'])
    if (kind === 'same') continue // the event before says it
    const own = readOwn(placed, kind, errors)
    if (own !== undefined && own.kind === 'handover') handovers.push(own.data as Handover)
    else if (own !== undefined)
      facts.push(factOf(own.kind, own.data, { at: registeredAt, by: ownerIn(placed.event, events) }))
    else if (placed.event.bizStep === bizSteps.sensing && kind !== 'sensor-result' && !(kind in schemas))
      facts.push(...readReadings(placed, errors))
    else if (kind === '') notTaken.add(takeForeign(placed, facts, errors))
    else if (!(kind in schemas)) notTaken.add(kind)
  }
  notTaken.delete('')
  for (const kind of ['registration', 'catch'])
    if (facts.filter((fact) => fact.kind === kind).length > 1)
      errors.push({ path: events[0]?.path ?? '', message: `the box ${boxID} has more than one ${kind}` })
  if (!facts.some(({ kind }) => kind === 'registration')) facts.push(registrationFrom(events, registeredAt))
  facts.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
  return { boxID, facts, handovers, notTaken: [...notTaken] }
}

/** When a box was packed, else the first moment that a document knows of it. */
function registrationTime(events: readonly Placed[], errors: FieldError[]): string {
  const { event, path } =
    events.find(({ event }) => event.bizStep === bizSteps.packing) ?? events[0] ?? NOTHING
  const parsed = When.safeParse(event['befaqt:at'] ?? event.eventTime)
  if (parsed.success) return parsed.data
  errors.push({ path: `${path}.eventTime`, message: parsed.error.issues[0]?.message ?? 'must be a time' })
  return ''
}

const NOTHING: Placed = { event: {}, path: '' }

const ORDER: readonly string[] = [
  'registration',
  'catch',
  'tracking',
  'sensor-result',
  'image-result',
  'enose-result',
]

/** What our own export wrote as a whole. */
function readOwn({ event, path }: Placed, kind: string, errors: FieldError[]) {
  if (!Object.hasOwn(schemas, kind)) return undefined
  const parsed = schemas[kind as OwnKind].safeParse(event['befaqt:data'])
  if (parsed.success) return { kind: kind as OwnKind, data: parsed.data }
  for (const { path: at, message } of parsed.error.issues.slice(0, 10))
    errors.push({ path: [`${path}.befaqt:data`, ...at].join('.'), message })
  return undefined
}

function factOf(kind: OwnKind, data: object, otherwise: { at: string; by: string }): Fact {
  const {
    time = otherwise.at,
    operator,
    traderID,
  } = data as { time?: string; operator?: string; traderID?: string }
  const more =
    kind === 'catch' || kind.endsWith('-result')
      ? { ...data, ...(kind !== 'sensor-result' && { txHash: null }) }
      : data
  return { kind, at: time, by: operator ?? traderID ?? otherwise.by, data: more } as Fact
}

/** Each temperature of a sensor event that has a time, with the position beside it. */
function readReadings({ event, path }: Placed, errors: FieldError[]): Fact[] {
  const list = event.sensorElementList
  if (!Array.isArray(list)) return []
  return list.flatMap((element: unknown, i): Fact[] => {
    const reports = valueAt(element, ['sensorReport'])
    const all = Array.isArray(reports) ? reports : []
    const of = (type: string, component?: string) =>
      all.find(
        (report) =>
          text(valueAt(report, ['type'])).replace(/^gs1:|^.*\/voc\//, '') === type &&
          (component === undefined || valueAt(report, ['component']) === component),
      )
    const temperature = valueAt(of('Temperature'), ['value'])
    if (temperature === undefined) return []
    const uom = valueAt(of('Temperature'), ['uom'])
    if (uom !== 'CEL')
      errors.push({ path: `${path}.sensorElementList[${i}]`, message: 'is not in °C (uom CEL)' })
    const geo = /^geo:(-?[\d.]+),(-?[\d.]+)/.exec(text(valueAt(event, ['readPoint', 'id'])))
    const device =
      text(valueAt(element, ['sensorMetadata', 'deviceID'])) || text(valueAt(of('Temperature'), ['deviceID']))
    const data = {
      time:
        valueAt(element, ['befaqt:at']) ??
        valueAt(element, ['sensorMetadata', 'time']) ??
        valueAt(of('Temperature'), ['time']) ??
        event.eventTime,
      latitude: valueAt(of('Angle', 'latitude'), ['value']) ?? Number(geo?.[1] ?? 0),
      longitude: valueAt(of('Angle', 'longitude'), ['value']) ?? Number(geo?.[2] ?? 0),
      iotID: lastPart(device) ?? 'epcis',
      temperature,
      txHash: null,
    }
    const parsed = TrackingReading.safeParse(data)
    if (parsed.success)
      return [{ kind: 'tracking', at: parsed.data.time, by: parsed.data.iotID, data: parsed.data }]
    for (const { path: at, message } of parsed.error.issues.slice(0, 10))
      errors.push({ path: `${path}.sensorElementList[${i}].${at.join('.')}`, message })
    return []
  })
}

const CATCH_INFORMATION = ['ilmd', 'cbvmda:vesselCatchInformationList', 'cbvmda:vesselCatchInformation', '0']

/** Takes the catch of somebody else’s document; the name of a step that has no record here, or '' when it was taken. */
function takeForeign({ event, path }: Placed, facts: Fact[], errors: FieldError[]): string {
  if (event.bizStep === bizSteps.packing) return ''
  if (event.bizStep !== bizSteps.fishing)
    return text(event.bizStep).replace(/^.*:/, '') || 'an event without a step'
  const geo = /^geo:(-?[\d.]+),(-?[\d.]+)/.exec(text(valueAt(event, ['readPoint', 'id'])))
  const parsed = CatchProv.safeParse({
    time: event.eventTime,
    boat: text(valueAt(event, [...CATCH_INFORMATION, 'cbvmda:vesselName'])),
    latitude: Number(geo?.[1] ?? 0),
    longitude: Number(geo?.[2] ?? 0),
    locationCodeLat: '',
    locationCodeLong: '',
    method: text(valueAt(event, [...CATCH_INFORMATION, 'cbvmda:fishingGearTypeCode'])),
    img: '',
    species:
      text(valueAt(event, ['ilmd', 'cbvmda:speciesForFisheryStatisticsPurposesName'])) ||
      text(valueAt(event, ['ilmd', 'cbvmda:speciesForFisheryStatisticsPurposesCode'])),
    size: '',
    note: '',
    txHash: null,
  })
  if (parsed.success)
    facts.push({ kind: 'catch', at: parsed.data.time, by: ownerIn(event, []), data: parsed.data })
  else
    for (const { path: at, message } of parsed.error.issues.slice(0, 10))
      errors.push({ path: `${path} (${at.join('.')})`, message })
  return ''
}

/** Who owns the fish: as our export says whole, else by the party's URN. */
function ownerIn(event: Event, events: readonly Placed[]): string {
  const registered = events.find(({ event }) => event['befaqt:kind'] === 'registration')?.event
  const trader = text(valueAt(registered, ['befaqt:data', 'traderID']))
  return trader || (lastPart(text(event['gdst:productOwner'])) ?? 'epcis').slice(0, 200)
}

/** A box must have somebody who registered it: the owner of its fish. */
function registrationFrom(events: readonly Placed[], at: string): Fact {
  const owned = events.find(({ event }) => text(event['gdst:productOwner']) !== '')
  const traderID = owned === undefined ? 'unknown' : ownerIn(owned.event, [])
  const boat = events
    .map(({ event }) => text(valueAt(event, [...CATCH_INFORMATION, 'cbvmda:vesselName'])))
    .find(Boolean)
  const data = { traderID, traderName: '', companyName: '', boat: (boat ?? '').slice(0, 200), address: '' }
  return { kind: 'registration', at, by: traderID, data }
}
