import { Readable } from 'node:stream'
import { paged } from '@befaqt/domain/api/box-api'
import {
  checkChoice,
  TradeBox,
  type TradeChoice,
  TradeView,
  tradeChoice,
} from '@befaqt/domain/api/box-trade-api'
import * as endpoints from '@befaqt/domain/api/endpoints/box-page'
import { boxesOfEvents, EpcisInput } from '@befaqt/domain/epcis/box-of-events'
import { computedElements, lackingElements } from '@befaqt/domain/epcis/elements'
import { epcisDocument, eventsOfBox } from '@befaqt/domain/epcis/events-of-box'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_DOCUMENT_BOXES, MAX_SHEET_BOXES } from '@befaqt/domain/limits'
import { rejectFutureTimes } from '@befaqt/domain/market-time'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/box-access.ts'
import { type LabelDeps, labelContents } from '#server/boxes/labels/label-content.ts'
import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import { importFacts } from '#server/boxes/records/import-box.ts'
import { changeCatalogue } from '#server/catalogue/index.ts'
import { sendJson } from '#server/http/caching/cached-response.ts'
import { parse } from '#server/http/errors.ts'
import { ListQuery } from '#server/http/list-query.ts'
import { defineRoutes, type Reads, rawBody, registerReads, registerRoute } from '#server/http/route.ts'
import { actorId, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { chosenBoxes, chosenIds, listTrade } from './chosen-boxes.ts'
import { epcisOfMany, type FsmaDeps, fsmaCsv, readEpcisSource } from './trade-documents.ts'

/** What became, or would become, of one box of a document. */
const ImportedEpcisBox = z.strictObject({
  boxID: z.string(),
  outcome: z.enum(['created', 'unchanged', 'differs']),
  records: z.int(),
  /** Steps of the document for which there are no records here. */
  notTaken: z.array(z.string()),
})
type Imported = z.infer<typeof ImportedEpcisBox>

const Export = z
  .object({ profile: z.enum(['fsma204', 'gdst'], 'must be fsma204 or gdst'), ...tradeChoice })
  .superRefine(refineChoice)
const TradeQuery = ListQuery.pick({ page: true, after: true, before: true })
  .extend(tradeChoice)
  .superRefine(refineChoice)

function refineChoice(choice: TradeChoice, { addIssue }: z.RefinementCtx): void {
  checkChoice(choice, (field, message) => addIssue({ code: 'custom', path: [field], message }))
}

export const boxTradeOperations = defineRoutes(endpoints, {
  readEpcis: {
    access: 'public',
    limits: 'history',
    summary:
      'The box as an EPCIS 2.0 document (JSON-LD) with the key data elements of GDST 1.2 that are held.',
    responses: { 200: 'application/ld+json' },
  },
  readTrade: {
    access: 'public',
    limits: 'history',
    summary: 'What the label of a box holds, and what its EPCIS document lacks, in plain words.',
    responses: { 200: TradeView },
  },
  importEpcis: {
    access: { right: 'box:write' },
    limits: 'box',
    summary: 'Make boxes of an EPCIS document: all or none. A dry run says what would be done.',
    query: z.object({ dry: z.literal('true').optional().describe('only report what would be done') }),
    body: rawBody({ 'application/json': EpcisInput, 'application/ld+json': EpcisInput }),
    responses: { 200: z.strictObject({ boxes: z.array(ImportedEpcisBox) }) },
  },
  exportTrade: {
    access: { right: 'box:write' },
    limits: 'file',
    summary:
      'Boxes that are named or were caught on these days: the sortable spreadsheet of FSMA 204 as CSV, or one EPCIS document.',
    query: Export,
    responses: { 200: 'text/csv, application/ld+json' },
  },
  listTrade: {
    access: { right: 'box:write' },
    limits: 'manage-read',
    summary: 'Boxes that are named or were caught on these days, and what their documents would not hold.',
    query: TradeQuery,
    responses: { 200: paged(TradeBox) },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const boxTradeReads = {
  listTrade: (deps, { principal, query }) => listTrade(deps, principal, query),
} satisfies Reads<typeof boxTradeOperations, FsmaDeps>

/** Boxes in the languages of the trade and of regulators. Source: standards.md. */
export function boxTradeRoutes(app: FastifyInstance, deps: FsmaDeps & LabelDeps & RecordingDeps): void {
  registerReads(app, boxTradeOperations, boxTradeReads, deps)
  registerRoute(app, boxTradeOperations.readEpcis, async ({ params, request, reply }) => {
    const boxID = boxIDOf(params)
    const document = JSON.stringify(epcisDocument(await readEpcisSource(deps, boxID)))
    reply.header('content-disposition', `inline; filename="box-${boxID}.epcis.jsonld"`)
    return sendJson(request, reply, document, 'application/ld+json; charset=utf-8')
  })
  registerRoute(app, boxTradeOperations.readTrade, async ({ params }) => {
    const boxID = boxIDOf(params)
    const events = eventsOfBox(await readEpcisSource(deps, boxID))
    const [label] = await labelContents(deps, [boxID])
    return {
      address: label?.address ?? '',
      sscc: label?.sscc ?? null,
      events: events.length,
      lacking: lackingElements(events),
      computed: computedElements(events),
    }
  })
  registerRoute(app, boxTradeOperations.importEpcis, async ({ principal, query, request }) => ({
    boxes: await importEpcis(deps, principal, request.body, query.dry === 'true'),
  }))
  registerRoute(app, boxTradeOperations.exportTrade, async ({ principal, query, reply }) => {
    const chosen = await chosenBoxes(deps, principal, query)
    const isSheet = query.profile === 'fsma204'
    const ids = await chosenIds(deps.db, chosen, isSheet ? MAX_SHEET_BOXES : MAX_DOCUMENT_BOXES)
    const what = query.box === undefined ? `${query.from}-${query.to}` : 'boxes'
    const file = isSheet ? `fsma204-${what}.csv` : `boxes-${what}.epcis.jsonld`
    return reply
      .type(isSheet ? 'text/csv; charset=utf-8' : 'application/ld+json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${file}"`)
      .send(Readable.from(isSheet ? fsmaCsv(deps, ids) : epcisOfMany(deps, ids, chosen.changedAt)))
  })
}

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
async function importEpcis(
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
