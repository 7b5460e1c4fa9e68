import { boxesOfEvents, EpcisInput } from '@befaqt/domain/epcis/box-of-events'
import { ShopError } from '@befaqt/domain/errors'
import { rejectFutureTimes } from '@befaqt/domain/market-time'
import { z } from 'zod'
import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import { importFacts } from '#server/boxes/records/import-box.ts'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { parse } from '#server/http/errors.ts'
import { actorId, assertBoxAccess, type Principal } from '#server/identity/principal.ts'

/** What became, or would become, of one box of a document. */
export const ImportedEpcisBox = z.strictObject({
  boxID: z.string(),
  outcome: z.enum(['created', 'unchanged', 'differs']),
  records: z.int(),
  /** Steps of the document for which there are no records here. */
  notTaken: z.array(z.string()),
})
type Imported = z.infer<typeof ImportedEpcisBox>

/** Ends a transaction that was only to show what it would do. */
class DryRun extends Error {
  readonly found: Imported[]
  constructor(found: Imported[]) {
    super('dry run')
    this.found = found
  }
}

/**
 * Makes boxes of an EPCIS document, all or none. A dry run answers the same and leaves everything as it was.
 * @throws ShopError `input.invalid` with the path of every bad field, `box.differs` when a box is here with another content
 */
export async function importEpcis(
  deps: RecordingDeps,
  principal: Principal,
  body: unknown,
  isDry: boolean,
): Promise<Imported[]> {
  const now = deps.now()
  const { market } = deps.siteFile
  const { boxes, errors } = boxesOfEvents(parse(EpcisInput, body))
  const timely = rejectFutureTimes(z.array(z.unknown()), { now, timeZone: market.timeZone })
  for (const { boxID, facts } of boxes) {
    const read = timely.safeParse(
      facts.map(({ at, data }) => ({ ...data, time: 'time' in data ? data.time : at })),
    )
    const [late] = read.error?.issues ?? []
    if (late !== undefined)
      errors.push({ path: `box ${boxID}`, message: `holds a time that ${late.message}` })
  }
  if (errors.length > 0) parse(EpcisInput, body, errors)
  for (const { boxID } of boxes) assertBoxAccess(principal, boxID)
  const more = { by: actorId(principal), now, market }
  try {
    return await changeCatalogue(
      deps,
      async (tx) => {
        const found: Imported[] = []
        for (const { boxID, facts, handovers, notTaken } of boxes) {
          const outcome = await importFacts(tx, boxID, facts, more)
          const left = handovers.length > 0 ? [...notTaken, 'handover'] : notTaken
          found.push({ boxID, outcome, records: facts.length, notTaken: left })
        }
        if (isDry) throw new DryRun(found)
        const other = found.find(({ outcome }) => outcome === 'differs')
        if (other !== undefined)
          throw new ShopError(
            'box.differs',
            `The box ${other.boxID} already exists, with different content.`,
            {
              details: { boxID: other.boxID },
            },
          )
        return found
      },
      () => false,
    )
  } catch (error) {
    if (error instanceof DryRun) return error.found
    throw error
  }
}
