import { endpoint } from '@befaqt/domain/api/endpoint'
import { ShopError } from '@befaqt/domain/errors'
import { type DigitalLink, digitalLinkPath, parseDigitalLink } from '@befaqt/domain/gs1'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { LINKSET_TYPE, type Links, linkSet, linkTypeOf, resolverDescription } from './link-set.ts'
import { boxOfLink, linksOfBox, type ResolverDeps } from './resolve-box.ts'

const endpoints = {
  resolveUnit: endpoint('GET', '/00/*'),
  resolveProduct: endpoint('GET', '/01/*'),
  allowUnit: endpoint('OPTIONS', '/00/*'),
  allowProduct: endpoint('OPTIONS', '/01/*'),
  describeResolver: endpoint('GET', '/.well-known/gs1resolver'),
}

const open = { access: 'public', limits: 'resolver' } as const
const resolve = {
  ...open,
  summary: 'A GS1 Digital Link: leads to the box, or lists where it leads.',
  responses: { 200: LINKSET_TYPE, 307: null },
} as const
const allow = { ...open, summary: 'What other sites may request.', responses: { 204: null } } as const

const resolverOperations = defineRoutes(endpoints, {
  resolveUnit: resolve,
  resolveProduct: resolve,
  allowUnit: allow,
  allowProduct: allow,
  describeResolver: {
    ...open,
    summary: 'What this resolver can do.',
    responses: { 200: 'application/json' },
  },
})

/** A resolver of GS1 Digital Links for the boxes of this shop. Source: GS1-Conformant Resolver Standard 1.2.0. */
export function resolverRoutes(app: FastifyInstance, deps: ResolverDeps): void {
  const answer = async ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }) => {
    allowOthers(reply)
    const [path = '', query = ''] = splitOnce(request.url, '?')
    const link = parseDigitalLink(path)
    if ('reason' in link)
      throw new ShopError('input.invalid', `This is not a GS1 Digital Link. ${link.reason}`)
    const boxID = await boxOfLink(deps, link)
    if (boxID === null) throw new ShopError('not_found', 'No box of this shop has this number.')
    return sendLinks(request, reply, { link, query, links: await linksOfBox(deps, boxID) })
  }

  /** Redirects to one target, or lists them all. */
  function sendLinks(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    { link, query, links }: { link: DigitalLink; query: string; links: Links },
  ): FastifyReply {
    const anchor = `${deps.config.PUBLIC_URL}${digitalLinkPath(link)}`
    const set = `${anchor}?linkType=linkset`
    reply.header('link', `<${set}>; rel="linkset"; type="${LINKSET_TYPE}"`).header('vary', 'accept')
    reply.header('cache-control', 'no-cache')
    const asked = new URLSearchParams(query).get('linkType')
    if (asked === 'linkset' || (asked === null && acceptsLinkset(headers.accept)))
      return reply.type(LINKSET_TYPE).send(JSON.stringify(linkSet(anchor, links)))
    const type = asked === null ? 'defaultLink' : linkTypeOf(asked)
    const target = type === null ? undefined : links.get(type)?.[0]
    if (target === undefined)
      throw new ShopError('not_found', 'There is no link of this type. ?linkType=linkset lists all.')
    return reply.redirect(query === '' ? target.href : `${target.href}?${query}`, 307)
  }

  registerRoute(app, resolverOperations.resolveUnit, answer)
  registerRoute(app, resolverOperations.resolveProduct, answer)
  for (const operation of [resolverOperations.allowUnit, resolverOperations.allowProduct])
    registerRoute(app, operation, ({ reply }) => {
      allowOthers(reply).header('access-control-allow-methods', 'GET, HEAD, OPTIONS')
      return reply
        .header('access-control-allow-headers', 'accept')
        .header('access-control-max-age', '86400')
        .send()
    })
  registerRoute(app, resolverOperations.describeResolver, ({ reply }) =>
    allowOthers(reply)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(resolverDescription(deps.siteFile.name, deps.config.PUBLIC_URL))),
  )
}

/** Scanners of other sites read what a code leads to. */
const allowOthers = (reply: FastifyReply): FastifyReply =>
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', 'link, location')
    .header('cross-origin-resource-policy', 'cross-origin')

const acceptsLinkset = (accept = ''): boolean =>
  accept.split(',').some((part) => part.split(';', 1)[0]?.trim().toLowerCase() === LINKSET_TYPE)

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
