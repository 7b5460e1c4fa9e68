import * as endpoints from '@befaqt/domain/api/endpoints/excursions'
import {
  ExcursionClosing,
  ExcursionDetail,
  ExcursionPage,
  ExcursionSettings,
  ExcursionText,
  excursionStates,
  MadeNoticeTarget,
  NewNoticeTarget,
  WarmLimitInput,
} from '@befaqt/domain/api/excursion-api'
import { BoxSaleChange } from '@befaqt/domain/api/recall-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { HistoryDeps } from '#server/boxes/index.ts'
import { ListQuery, PLACE } from '#server/http/list-query.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import {
  addNote,
  closeExcursion,
  type ExcursionDeps,
  listExcursions,
  putBackOnSale,
  readExcursion,
  takeOffSale,
} from './excursions.ts'
import type { WebhookDeps } from './send-webhook.ts'
import { addTarget, readSettings, removeTarget, removeWarmLimit, setWarmLimit } from './settings.ts'

const read = { access: { right: 'box:write', people: true }, limits: 'manage-read' } as const
const write = { access: { right: 'box:write', people: true }, limits: 'manage-write' } as const
const done = { responses: { 204: null } } as const

export const excursionOperations = defineRoutes(endpoints, {
  listExcursions: {
    ...read,
    summary:
      'Excursions, newest first: open, ended by themselves, closed, or withdrawn; by default all that nobody closed.',
    query: ListQuery.pick(PLACE).extend({
      state: z.enum(excursionStates).optional(),
    }),
    responses: { 200: ExcursionPage },
  },
  readExcursion: {
    ...read,
    summary: 'One excursion with its readings, the products and orders behind it, notes and notices.',
    responses: { 200: ExcursionDetail },
  },
  addExcursionNote: { ...write, ...done, summary: 'Add a note.', body: ExcursionText },
  closeExcursion: {
    ...write,
    ...done,
    summary: 'Close an excursion, with the reason; `backOnSale` puts its box back on sale.',
    body: ExcursionClosing,
  },
  putBackOnSale: {
    ...write,
    ...done,
    summary:
      'Put the box back on sale; with `since`, when whoever asks took it off, only if nobody decided something else then.',
    query: z.strictObject({ since: z.iso.datetime('since must be a time').optional() }),
  },
  takeOffSale: {
    ...write,
    summary:
      'Take the box off sale; answers how many of its products were on sale, and whether it was off sale already.',
    responses: { 200: z.strictObject({ taken: z.int(), sale: BoxSaleChange }) },
  },
  readExcursionSettings: {
    ...read,
    summary: 'Limits, and who is notified.',
    responses: { 200: ExcursionSettings },
  },
  setWarmLimit: { ...write, ...done, summary: 'Set a limit for readings to come.', body: WarmLimitInput },
  removeWarmLimit: { ...write, ...done, summary: 'Remove the limit of a species.' },
  addNoticeTarget: {
    ...write,
    confirmed: true,
    summary: 'Add an email address or a webhook to notify; its secret is returned this once.',
    body: NewNoticeTarget,
    responses: { 201: MadeNoticeTarget },
  },
  removeNoticeTarget: { ...write, ...done, summary: 'Stop notifying a target.' },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const excursionReads = {
  listExcursions: ({ db }, { query }) => listExcursions(db, query),
  readExcursion: (deps, { params }) => readExcursion(deps, params.id),
  readExcursionSettings: ({ db }) => readSettings(db),
} satisfies Reads<typeof excursionOperations, HistoryDeps & Pick<ExcursionDeps, 'siteFile'>>

/** Excursions of boxes, for managers. Source: decision 0055. */
export function excursionRoutes(app: FastifyInstance, deps: ExcursionDeps & HistoryDeps & WebhookDeps): void {
  registerReads(app, excursionOperations, excursionReads, deps)
  registerRoute(app, excursionOperations.addExcursionNote, async ({ principal, params, body }) => {
    await addNote(deps, principal, params.id, body.text)
    return undefined
  })
  registerRoute(app, excursionOperations.closeExcursion, async ({ principal, params, body }) => {
    await closeExcursion(deps, principal, params.id, body)
    return undefined
  })
  registerRoute(app, excursionOperations.takeOffSale, ({ principal, params }) =>
    takeOffSale(deps, principal, params.id),
  )
  registerRoute(app, excursionOperations.putBackOnSale, async ({ principal, params, query }) => {
    await putBackOnSale(deps, principal, params.id, query.since)
    return undefined
  })
  registerRoute(app, excursionOperations.setWarmLimit, async ({ principal, body }) => {
    await setWarmLimit(deps, principal, body)
    return undefined
  })
  registerRoute(app, excursionOperations.removeWarmLimit, async ({ principal, params }) => {
    await removeWarmLimit(deps, principal, params.species)
    return undefined
  })
  registerRoute(app, excursionOperations.addNoticeTarget, ({ principal, body }) =>
    addTarget(deps, principal, body),
  )
  registerRoute(app, excursionOperations.removeNoticeTarget, async ({ principal, params }) => {
    await removeTarget(deps, principal, params.id)
    return undefined
  })
}
