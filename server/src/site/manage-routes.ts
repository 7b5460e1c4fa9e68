import { paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { ContentPage } from '@befaqt/domain/api/site-api'
import { EmailPreview, SiteEmail } from '@befaqt/domain/email-templates'
import {
  SiteInput,
  SitePart,
  SitePartRow,
  SiteRestoration,
  SiteText,
  SiteVersion,
} from '@befaqt/domain/site-settings'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import {
  listParts,
  listVersions,
  MAX_VERSION_PAGE,
  readPart,
  restorePart,
  type SiteWriter,
  savePart,
} from './change-site.ts'
import { type ContentDeps, previewText } from './content-page.ts'
import { type PreviewDeps, previewEmail } from './preview-email.ts'

const read = { access: { right: 'site:write', people: true }, limits: 'manage-read' } as const
const write = { access: { right: 'site:write', people: true }, limits: 'manage-write' } as const
const SAYS_VERSION = 'With If-Match, only if it is still that version.'

export const siteManageOperations = defineRoutes(endpoints, {
  listSiteParts: {
    ...read,
    summary: 'The parts of the site that can be edited, each with who changed it last.',
    responses: { 200: z.array(SitePartRow) },
  },
  readSitePart: {
    ...read,
    summary: 'One part of the site as it is now.',
    responses: { 200: SitePart },
  },
  saveSitePart: {
    ...write,
    summary: `Make a new version of a part of the site, which every page shows at once. ${SAYS_VERSION}`,
    body: SiteInput,
    responses: { 200: SitePart },
    errors: [404],
  },
  previewSiteText: {
    ...write,
    summary: 'The words of a page as it would show them. Nothing is saved.',
    body: SiteText,
    responses: { 200: ContentPage },
  },
  previewSiteEmail: {
    ...write,
    summary: 'An email as it would be sent, with sample facts. Nothing is saved or sent.',
    body: SiteEmail,
    responses: { 200: EmailPreview },
  },
  listSiteVersions: {
    ...read,
    summary: 'The versions of a part of the site, the newest first, each with what was there before.',
    query: z.object({
      page: z.coerce.number().int('page must be a whole number').min(1).max(MAX_VERSION_PAGE).default(1),
    }),
    responses: { 200: paged(SiteVersion) },
  },
  restoreSitePart: {
    ...write,
    summary: `Have a part of the site say again what an earlier version said; 0: what the shop began with. ${SAYS_VERSION}`,
    body: SiteRestoration,
    responses: { 200: SitePart },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const siteManageReads = {
  listSiteParts: (deps) => listParts(deps),
  readSitePart: (deps, { params }) => readPart(deps, params.part),
} satisfies Reads<typeof siteManageOperations, SiteWriter>

/** Editing the site, for administrators. */
export function siteManageRoutes(app: FastifyInstance, deps: SiteWriter & ContentDeps & PreviewDeps): void {
  registerReads(app, siteManageOperations, siteManageReads, deps)
  registerRoute(app, siteManageOperations.previewSiteText, ({ body }) => previewText(deps, body))
  registerRoute(app, siteManageOperations.previewSiteEmail, ({ body }) => previewEmail(deps, body))
  registerRoute(app, siteManageOperations.listSiteVersions, ({ params, query }) =>
    listVersions(deps, params.part, query.page),
  )
  registerRoute(app, siteManageOperations.saveSitePart, ({ principal, body, request }) =>
    savePart(deps, principal, body, expectedVersion(request)),
  )
  registerRoute(app, siteManageOperations.restoreSitePart, ({ principal, params, body, request }) =>
    restorePart(deps, principal, params.part, body.to, expectedVersion(request)),
  )
}
