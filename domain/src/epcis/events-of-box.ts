import type { Box, CatchProv, EnoseResult, ImageResult, SensorResult, TrackingReading } from '../box.ts'
import { instantOf, marketTime } from '../market-time.ts'
import type { Handover } from '../supplier.ts'
import { asfisCode, faoArea, gearCode } from './codes.ts'
import {
  bizSteps,
  EPCIS_CONTEXT,
  type EpcisDocument,
  type EpcisEvent,
  gdstIds,
  geoUri,
  valueAt,
} from './elements.ts'

/** Amounts that were sold from a box, as their records have them. */
export type Sale = { at: string; data: object }

/** All that the events of a box are made of. Times are RFC 3339, or of the market. */
export type EpcisSource = {
  box: Box
  /** Whether a result of the readings was submitted, and not only computed. */
  hasSensorResult: boolean
  handovers: readonly Handover[]
  sales: readonly Sale[]
  /** Net weights in grams, as the box's records state them; null: none does, or they contradict each other. */
  weights: { caught: number | null; boxed: number | null }
  /** Told from a coastline; null: unknown. */
  landedAt: string | null
  /** In whose economic zone it was caught, by ISO 3166-1 with three letters, told from a coastline; null: unknown. */
  economicZone: string | null
  /** When it was registered. */
  registeredAt: string
  /** The URI of the box as a logistic unit. */
  unit: string
  /** The shop's own. */
  host: string
  /** The market's. */
  timeZone: string
  /** When the newest of its records was made: a document about the same records is the same. RFC 3339. */
  asOf: string
}

/** A box as a document. Nothing in it is made up, and what is computed says so: `befaqt:origin`, `befaqt:computed`. */
export const epcisDocument = (source: EpcisSource): EpcisDocument => ({
  '@context': EPCIS_CONTEXT,
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: source.asOf,
  epcisBody: { eventList: eventsOfBox(source) },
})

/** The events of a box in the order of its way. */
export function eventsOfBox(source: EpcisSource): EpcisEvent[] {
  const { box } = source
  const writer = eventWriter(source)
  return [
    ...(box.catchProv === null ? [] : [fishing(writer, source, box.catchProv)]),
    writer.packing(),
    ...(box.iotResult === null ? [] : readingsByLogger(writer, box.iotResult.iotTracking)),
    ...landing(writer, source),
    ...(box.iotResult !== null && source.hasSensorResult ? [sensorResult(writer, box.iotResult)] : []),
    ...box.imageProc.map((data) => assessment(writer, 'image-result', data, data.imgScore)),
    ...box.e_nose.map((data) => assessment(writer, 'enose-result', data, data.noseScore)),
    ...source.handovers.flatMap((data) => handover(writer, data)),
    ...source.sales.map((sale) => selling(writer, sale)),
  ]
}

type Writer = ReturnType<typeof eventWriter>

function eventWriter({ box, weights, unit, host, timeZone, registeredAt }: EpcisSource) {
  const ids = gdstIds(host)
  const { fisher, boxID } = box
  const lot = ids.lot(fisher.traderID, box.catchProv?.species ?? '', boxID)
  /** A moment as EPCIS has it: in UTC, with the offset of the market's clock beside it. */
  const moment = (time: string) => {
    const instant = instantOf(time, timeZone) ?? 0
    const eventTime = new Date(instant).toISOString()
    return { eventTime, eventTimeZoneOffset: offsetAt(instant, timeZone) }
  }
  const owner = {
    'gdst:productOwner': ids.party(fisher.traderID),
    'cbvmda:informationProvider': ids.party(host),
  }
  return {
    ids,
    lot,
    moment,
    owner,
    unit,
    object: (time: string, bizStep: string, more: object): EpcisEvent => ({
      type: 'ObjectEvent',
      ...moment(time),
      action: 'OBSERVE',
      bizStep,
      epcList: [unit],
      ...more,
    }),
    packing: (): EpcisEvent => ({
      type: 'AggregationEvent',
      ...moment(registeredAt),
      action: 'ADD',
      bizStep: bizSteps.packing,
      parentID: unit,
      childQuantityList: [{ epcClass: lot, ...kilograms(weights.boxed) }],
      ...owner,
      ...data('registration', fisher),
      'befaqt:at': registeredAt,
    }),
  }
}

/** What a record says, kept whole: the other fields of the event are made from it. */
const data = (kind: string, of: object) => ({ 'befaqt:kind': kind, 'befaqt:data': of })

function offsetAt(instant: number, timeZone: string): string {
  const second = Math.floor(instant / 1000) * 1000
  const ahead = Date.parse(`${marketTime(second, timeZone).replace(' ', 'T')}Z`) - second
  const minutes = Math.abs(Math.round(ahead / 60_000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const at = (place: { latitude: number; longitude: number }) => {
  const id = geoUri(place)
  return id === undefined ? {} : { readPoint: { id } }
}

const kilograms = (grams: number | null) => (grams === null ? {} : { quantity: grams / 1_000, uom: 'KGM' })

/** What follows from a catch, by the fields of its event: codes of what its record says in words and numbers. */
export function computedOfCatch({ economicZone }: Pick<EpcisSource, 'economicZone'>, caught: CatchProv) {
  const [species, area, gear] = [asfisCode(caught.species), faoArea(caught), gearCode(caught.method)]
  const ofFish = species === undefined ? {} : { 'cbvmda:speciesForFisheryStatisticsPurposesCode': species }
  const ofVessel = {
    ...(area !== undefined && { 'cbvmda:catchArea': [area] }),
    ...(economicZone !== null && { 'cbvmda:economicZone': economicZone }),
    ...(gear !== undefined && { 'cbvmda:fishingGearTypeCode': gear }),
  }
  return { ofFish, ofVessel, fields: [...Object.keys(ofFish), ...Object.keys(ofVessel)] }
}

function fishing({ ids, lot, moment, owner }: Writer, source: EpcisSource, caught: CatchProv): EpcisEvent {
  const { box, weights } = source
  const { txHash: _, ...declared } = caught
  const boat = caught.boat || box.fisher.boat
  const hasPlace = geoUri(caught) !== undefined
  const { ofFish, ofVessel, fields } = computedOfCatch(source, caught)
  const vessel = { ...(boat !== '' && { 'cbvmda:vesselName': boat }), ...ofVessel }
  return {
    type: 'ObjectEvent',
    ...moment(caught.time),
    action: 'ADD',
    bizStep: bizSteps.fishing,
    disposition: 'active',
    quantityList: [{ epcClass: lot, ...kilograms(weights.caught) }],
    ...at(caught),
    ...(boat !== '' && { bizLocation: { id: ids.place(box.fisher.traderID, boat) } }),
    ...owner,
    ilmd: {
      'cbvmda:speciesForFisheryStatisticsPurposesName': caught.species,
      ...ofFish,
      ...((hasPlace || Object.keys(vessel).length > 0) && {
        'cbvmda:vesselCatchInformationList': { 'cbvmda:vesselCatchInformation': [vessel] },
      }),
    },
    ...(fields.length > 0 && { 'befaqt:computed': fields }),
    ...data('catch', declared),
  }
}

/** The moment at which the shop says that the box was seen ashore: marked as computed. */
function landing({ object }: Writer, { box, landedAt }: EpcisSource): EpcisEvent[] {
  const reading = box.iotResult?.iotTracking.find(({ time }) => time === landedAt)
  if (landedAt === null || reading === undefined) return []
  return [object(landedAt, bizSteps.landing, { ...at(reading), 'befaqt:origin': 'computed' })]
}

/** The readings of each logger, as one event at the time of the last. */
function readingsByLogger({ object, moment }: Writer, readings: readonly TrackingReading[]): EpcisEvent[] {
  return [...Map.groupBy(readings, ({ iotID }) => iotID)].map(([iotID, ofLogger]) => {
    const last = ofLogger.reduce((a, b) => (moment(b.time).eventTime > moment(a.time).eventTime ? b : a))
    const deviceID = `urn:befaqt:logger:${encodeURIComponent(iotID)}`
    const sensorElementList = ofLogger.map(({ time, latitude, longitude, temperature }) => ({
      sensorMetadata: { time: moment(time).eventTime, deviceID },
      sensorReport: [
        { type: 'Temperature', value: temperature, uom: 'CEL' },
        ...angle('latitude', latitude),
        ...angle('longitude', longitude),
      ],
      'befaqt:at': time,
    }))
    return object(last.time, bizSteps.sensing, { 'befaqt:kind': 'tracking', sensorElementList })
  })
}

const angle = (component: string, value: number) => [{ type: 'Angle', component, value, uom: 'DD' }]

const sensorResult = (writer: Writer, { iotTracking: _, ...data }: SensorResult & { iotTracking: unknown }) =>
  assessment(writer, 'sensor-result', data, data.iotScore)

type Assessment = SensorResult | ImageResult | EnoseResult

function assessment({ object }: Writer, kind: string, result: Assessment, value: number): EpcisEvent {
  const { txHash: _, ...declared } = { txHash: null, ...result }
  return object(result.time, bizSteps.sensing, {
    ...at(result),
    sensorElementList: [{ sensorReport: [{ type: 'Dimensionless', value, uom: 'C62' }] }],
    ...data(kind, declared),
  })
}

/** Two events of one moment, the second saying the same; a box that was refused was not received. */
function handover({ object, ids }: Writer, handed: Handover): EpcisEvent[] {
  const parties = {
    sourceList: [{ type: 'owning_party', source: ids.party(handed.from) }],
    destinationList: [{ type: 'owning_party', destination: ids.party(handed.to) }],
  }
  const probe =
    handed.temperature === null
      ? {}
      : {
          sensorElementList: [
            { sensorReport: [{ type: 'Temperature', value: handed.temperature, uom: 'CEL' }] },
          ],
        }
  const shipping = object(handed.time, bizSteps.shipping, {
    ...at(handed),
    ...parties,
    ...data('handover', handed),
  })
  if (!handed.accepted) return [shipping]
  return [
    shipping,
    object(handed.time, bizSteps.receiving, { ...at(handed), ...parties, ...probe, 'befaqt:kind': 'same' }),
  ]
}

function selling({ object, lot }: Writer, { at: time, data: sold }: Sale): EpcisEvent {
  const grams = valueAt(sold, ['grams'])
  const quantity = typeof grams === 'number' ? { quantity: grams, uom: 'GRM' } : {}
  return object(time, bizSteps.selling, {
    quantityList: [{ epcClass: lot, ...quantity }],
    ...data('sale', sold),
  })
}
