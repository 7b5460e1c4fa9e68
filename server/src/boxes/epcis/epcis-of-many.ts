import { EPCIS_CONTEXT, type EpcisDocument } from '@befaqt/domain/epcis/elements'
import { eventsOfBox } from '@befaqt/domain/epcis/events-of-box'
import { type EpcisDeps, readEpcisSource } from './read-epcis.ts'

/**
 * One EPCIS document of many boxes, as its text, box by box: what was written of one is not kept.
 * @param asOf when the newest of them changed: a document about the same records is the same
 */
export async function* epcisOfMany(
  deps: EpcisDeps,
  boxIDs: readonly string[],
  asOf: Date,
): AsyncGenerator<string> {
  const document: EpcisDocument = {
    '@context': EPCIS_CONTEXT,
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: asOf.toISOString(),
    epcisBody: { eventList: [] },
  }
  const [head = '', foot = ''] = JSON.stringify(document).split(/(?<="eventList":\[)/)
  yield head
  let before = ''
  for (const id of boxIDs)
    for (const event of eventsOfBox(await readEpcisSource(deps, id))) {
      yield before + JSON.stringify(event)
      before = ','
    }
  yield foot
}
