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
export type Step = keyof typeof bizSteps

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
