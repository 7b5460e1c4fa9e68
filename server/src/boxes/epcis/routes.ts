import { Readable } from 'node:stream'
import { paged } from '@befaqt/domain/api/box-api'
import {
  checkChoice,
  TradeBox,
  type TradeChoice,
  TradeView,
  tradeChoice,
} from '@befaqt/domain/api/box-trade-api'
import * as endpoints from '@befaqt/domain/api/endpoints/box-trade'
import { EpcisInput } from '@befaqt/domain/epcis/box-of-events'
import { lackingElements } from '@befaqt/domain/epcis/elements'
import { epcisDocument, eventsOfBox } from '@befaqt/domain/epcis/events-of-box'
import { MAX_DOCUMENT_BOXES, MAX_SHEET_BOXES } from '@befaqt/domain/limits'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { type LabelDeps, labelContents } from '#server/boxes/labels/label-content.ts'
import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import { sendJson } from '#server/http/caching/cached-response.ts'
import { ListQuery } from '#server/http/list-query.ts'
import { defineRoutes, type Reads, rawBody, registerReads, registerRoute } from '#server/http/route.ts'
import { chosenBoxes, chosenIds } from './chosen-boxes.ts'
import { epcisOfMany } from './epcis-of-many.ts'
import { type FsmaDeps, fsmaCsv } from './fsma-csv.ts'
import { ImportedEpcisBox, importEpcis } from './import-epcis.ts'
import { listTrade } from './list-trade.ts'
import { readEpcisSource } from './read-epcis.ts'

const Export = z
  .object({ profile: z.enum(['fsma204', 'gdst'], 'must be fsma204 or gdst'), ...tradeChoice })
  .superRefine(refineChoice)
const TradeQuery = ListQuery.pick({ page: true }).extend(tradeChoice).superRefine(refineChoice)

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
