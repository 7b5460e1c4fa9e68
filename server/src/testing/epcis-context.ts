const voc = (name: string): string => `https://ref.gs1.org/epcis/${name}`
const typed = (name: string, type: string) => ({ '@id': voc(name), '@type': type })
const list = (name: string) => ({ '@id': voc(name), '@container': '@list' })

/**
 * The terms of EPCIS that our documents use, for a JSON-LD processor that may not fetch anything. Terms that are not here
 * are dropped by it, as they would be with the context of the standard if we misspelt them.
 */
export const epcisTestContext = {
  '@context': {
    '@version': 1.1,
    '@protected': true,
    id: '@id',
    type: '@type',
    cbv: 'https://ref.gs1.org/cbv/',
    cbvmda: { '@id': 'urn:epcglobal:cbv:mda:', '@prefix': true },
    EPCISDocument: voc('EPCISDocument'),
    ObjectEvent: voc('ObjectEvent'),
    AggregationEvent: voc('AggregationEvent'),
    Temperature: 'https://gs1.org/voc/Temperature',
    Angle: 'https://gs1.org/voc/Angle',
    Dimensionless: 'https://gs1.org/voc/Dimensionless',
    owning_party: 'https://ref.gs1.org/cbv/SDT-owning_party',
    schemaVersion: voc('schemaVersion'),
    creationDate: voc('creationDate'),
    epcisBody: voc('epcisBody'),
    eventList: list('eventList'),
    eventTime: voc('eventTime'),
    eventTimeZoneOffset: voc('eventTimeZoneOffset'),
    action: voc('action'),
    bizStep: typed('bizStep', '@vocab'),
    disposition: typed('disposition', '@vocab'),
    readPoint: typed('readPoint', '@id'),
    bizLocation: typed('bizLocation', '@id'),
    epcList: { ...list('epcList'), '@type': '@id' },
    parentID: typed('parentID', '@id'),
    quantityList: list('quantityList'),
    childQuantityList: list('childQuantityList'),
    epcClass: typed('epcClass', '@id'),
    quantity: voc('quantity'),
    uom: voc('uom'),
    sourceList: list('sourceList'),
    source: typed('source', '@id'),
    destinationList: list('destinationList'),
    destination: typed('destination', '@id'),
    ilmd: voc('ilmd'),
    sensorElementList: list('sensorElementList'),
    sensorMetadata: voc('sensorMetadata'),
    sensorReport: list('sensorReport'),
    deviceID: typed('deviceID', '@id'),
    time: voc('time'),
    value: voc('value'),
    component: voc('component'),
  },
}
