/** With the slash: without it a JSON-LD 1.1 processor drops every `gdst:` field. */
export const GDST = 'https://traceability-dialogue.org/epcis/'

/** What EPCIS and GDST have no field for. `befaqt:data` is a JSON value that processors keep as it is. */
const CONTEXT_OF_TERMS = {
  gdst: GDST,
  cbvmda: 'urn:epcglobal:cbv:mda:',
  befaqt: 'urn:befaqt:',
  'befaqt:data': { '@type': '@json' },
} as const

export const EPCIS_CONTEXT = [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  CONTEXT_OF_TERMS,
] as const

/** The steps of a wild-caught box, by what we call them. Source: GDST 1.2, CBV 2.0. */
export const bizSteps = {
  fishing: 'urn:gdst:bizStep:fishingEvent',
  landing: 'urn:gdst:bizStep:landing',
  packing: 'packing',
  shipping: 'shipping',
  receiving: 'receiving',
  sensing: 'sensor_reporting',
  selling: 'retail_selling',
} as const
type Step = keyof typeof bizSteps

/** One event of a document. */
export type EpcisEvent = { type: 'ObjectEvent' | 'AggregationEvent'; bizStep: string } & Record<
  string,
  unknown
>

export type EpcisDocument = {
  '@context': typeof EPCIS_CONTEXT
  type: 'EPCISDocument'
  schemaVersion: '2.0'
  creationDate: string
  epcisBody: { eventList: EpcisEvent[] }
}

/** A key data element: its path in the event of its step, and its name for people. */
export type Element = { step: Step; path: readonly string[]; words: string }

const vessel = ['ilmd', 'cbvmda:vesselCatchInformationList', 'cbvmda:vesselCatchInformation', '0'] as const

const element = (step: Step, words: string, ...path: string[]): Element => ({ step, path, words })

/** What GDST 1.2 requires of each step of a wild-caught box. */
export const elements: readonly Element[] = [
  element('fishing', 'owner of the fish', 'gdst:productOwner'),
  element('fishing', 'who gives this information', 'cbvmda:informationProvider'),
  element('fishing', 'time', 'eventTime'),
  element('fishing', 'lot', 'quantityList', '0', 'epcClass'),
  element('fishing', 'weight', 'quantityList', '0', 'quantity'),
  element('fishing', 'position', 'readPoint', 'id'),
  element('fishing', 'policy on the welfare of the crew', 'gdst:humanWelfarePolicy'),
  element('fishing', 'species', 'ilmd', 'cbvmda:speciesForFisheryStatisticsPurposesName'),
  element(
    'fishing',
    'code of the species (FAO ASFIS)',
    'ilmd',
    'cbvmda:speciesForFisheryStatisticsPurposesCode',
  ),
  element('fishing', 'name of the vessel', ...vessel, 'cbvmda:vesselName'),
  element('fishing', 'registration of the vessel', ...vessel, 'cbvmda:vesselID'),
  element('fishing', 'flag of the vessel', ...vessel, 'cbvmda:vesselFlagState'),
  element('fishing', 'catch area (FAO)', ...vessel, 'cbvmda:catchArea'),
  element('fishing', 'economic zone', ...vessel, 'cbvmda:economicZone'),
  element('fishing', 'code of the fishing gear', ...vessel, 'cbvmda:fishingGearTypeCode'),
  element('fishing', 'whether the position is from GPS', ...vessel, 'gdst:gpsAvailability'),
  element('landing', 'time', 'eventTime'),
  element('landing', 'position', 'readPoint', 'id'),
  element('landing', 'port', 'cbvmda:unloadingPort'),
  element('packing', 'owner of the fish', 'gdst:productOwner'),
  element('packing', 'time', 'eventTime'),
  element('packing', 'number of the box', 'parentID'),
  element('packing', 'lot', 'childQuantityList', '0', 'epcClass'),
  element('shipping', 'who hands over', 'sourceList', '0', 'source'),
  element('shipping', 'who takes over', 'destinationList', '0', 'destination'),
  element('receiving', 'who hands over', 'sourceList', '0', 'source'),
  element('receiving', 'who takes over', 'destinationList', '0', 'destination'),
  element('sensing', 'readings', 'sensorElementList', '0', 'sensorReport'),
  element('selling', 'time', 'eventTime'),
  element('selling', 'amount', 'quantityList', '0', 'quantity'),
]

const stepWords: Readonly<Record<Step, string>> = {
  fishing: 'Catch',
  landing: 'Landing',
  packing: 'Packing',
  shipping: 'Shipping',
  receiving: 'Receiving',
  sensing: 'Temperatures and assessments',
  selling: 'Sale',
}

/** What a step lacks, in plain words; `isRecorded`: there is an event of it at all. */
export type Lacking = { step: string; isRecorded: boolean; words: string[] }

/** Which key data elements the events of a box lack, in the order of its way; steps that lack none are left out. */
export function lackingElements(events: readonly EpcisEvent[]): Lacking[] {
  return (Object.keys(bizSteps) as Step[]).flatMap((step) => {
    const ofStep = events.filter(({ bizStep }) => bizStep === bizSteps[step])
    const words = elements
      .filter((one) => one.step === step && !ofStep.some((event) => valueAt(event, one.path) !== undefined))
      .map(({ words }) => words)
    const isRecorded = ofStep.length > 0
    return words.length > 0 || !isRecorded ? [{ step: stepWords[step], isRecorded, words }] : []
  })
}

/** Which key data elements were computed from what is recorded, by their names: events say which of their fields are. */
export function computedElements(events: readonly EpcisEvent[]): string[] {
  const isComputed = ({ step, path }: Element): boolean =>
    events.some((event) => {
      if (event.bizStep !== bizSteps[step] || valueAt(event, path) === undefined) return false
      const fields = event['befaqt:computed']
      const last = path.at(-1)
      return event['befaqt:origin'] === 'computed' || (Array.isArray(fields) && fields.includes(last))
    })
  return elements.filter(isComputed).map(({ step, words }) => `${stepWords[step]}: ${words}`)
}

/** The value at a path; undefined: none. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  )

/**
 * Identifiers of GDST until an operator has a company prefix: never a GS1 key that is not ours. `host` is the shop's
 * own, which makes them unique.
 */
export const gdstIds = (host: string) => ({
  lot: (owner: string, species: string, boxID: string) =>
    `urn:gdst:${host}:product:lot:class:${[owner, species, boxID].map(part).join('.')}`,
  place: (owner: string, name: string) => `urn:gdst:${host}:location:loc:${part(owner)}.${part(name)}`,
  party: (name: string) => `urn:gdst:${host}:party:${part(name)}`,
})

/** A text as a part of a URN: a dot ends a part. */
const part = (text: string): string =>
  text === ''
    ? 'unknown'
    : encodeURIComponent(text.toWellFormed()).replace(
        /[.!'()*]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      )

/** The last part of a URN that `gdstIds` made, or of others like it. */
export function lastPart(urn: string): string | undefined {
  try {
    return (
      decodeURIComponent(urn.slice(Math.max(urn.lastIndexOf(':'), urn.lastIndexOf('.')) + 1)) || undefined
    )
  } catch {
    return undefined
  }
}

/** A position as a URI; undefined where there is none. Source: RFC 5870. */
export const geoUri = ({
  latitude,
  longitude,
}: {
  latitude: number
  longitude: number
}): string | undefined =>
  latitude === 0 && longitude === 0 ? undefined : `geo:${plain(latitude)},${plain(longitude)}`

/** Without an exponent, which these URIs do not have. */
const plain = (value: number): string =>
  /e/.test(String(value)) ? value.toFixed(12).replace(/\.?0{1,12}$/, '') : String(value)
