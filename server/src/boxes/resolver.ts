import { endpoint, urlOf } from '@befaqt/domain/api/endpoint'
import { readEpcis } from '@befaqt/domain/api/endpoints/box-page'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { BoxID } from '@befaqt/domain/box-values'
import { ShopError } from '@befaqt/domain/errors'
import { type DigitalLink, digitalLinkPath, numberOfSscc, parseDigitalLink } from '@befaqt/domain/gs1'
import { boxPath, productPath } from '@befaqt/domain/page-paths'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Catalogue } from '#server/catalogue/index.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { productBoxes } from '#server/db/schema/shop.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { holdsFish, isOnSale } from './box-access.ts'

/** GS1's vocabulary of link types. */
const VOCABULARY = 'https://ref.gs1.org/voc/'
const PREFIXES = ['gs1:', VOCABULARY, 'https://gs1.org/voc/', 'https://www.gs1.org/voc/']

const LINKSET_TYPE = 'application/linkset+json'

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

/** What resolving needs of the world. */
type ResolverDeps = {
  db: Db
  catalogue: Catalogue
  config: Pick<Config, 'PUBLIC_URL' | 'GS1_COMPANY_PREFIX'>
  siteFile: { name: string }
}

/**
 * The box that a link names: by its SSCC; or, of a GTIN of ours, by lot or serial number, which are its id. Null when
 * there is none, and always without a company prefix: then no key is ours.
 */
async function boxOfLink({ db, config }: ResolverDeps, link: DigitalLink): Promise<string | null> {
  const prefix = config.GS1_COMPANY_PREFIX
  if (prefix === undefined) return null
  const condition = link.ai === '00' ? byNumber(prefix, link.key) : byLot(prefix, link)
  if (condition === null) return null
  const [found] = await db.select({ id: boxes.id }).from(boxes).where(and(condition, holdsFish))
  return found?.id ?? null
}

function byNumber(prefix: string, sscc: string) {
  const number = numberOfSscc(prefix, sscc)
  return number === null || number > 0x7fffffff ? null : eq(boxes.labelNumber, number)
}

/** A GTIN-14 begins with an indicator, then comes the company prefix. */
function byLot(prefix: string, { key, lot, serial }: Extract<DigitalLink, { ai: '01' }>) {
  const boxID = lot ?? serial
  if (!key.slice(1).startsWith(prefix) || !BoxID.safeParse(boxID).success) return null
  return eq(boxes.id, boxID ?? '')
}

/** Where a box leads to; a product only while one from it is on sale, and its recall while it is recalled. */
async function linksOfBox({ db, catalogue, config }: ResolverDeps, boxID: string): Promise<Links> {
  const at = (path: string): string => `${config.PUBLIC_URL}${path}`
  const page: Target = {
    href: at(boxPath(boxID)),
    type: 'text/html',
    title: `Fish box ${boxID} from catch to assessment`,
  }
  const proof: Target = {
    href: at(urlOf(readProof, { params: { boxID } })),
    type: 'application/json',
    title: `Proof of the history of fish box ${boxID}`,
  }
  const epcis: Target = {
    href: at(urlOf(readEpcis, { params: { boxID } })),
    type: 'application/ld+json',
    title: `EPCIS document of fish box ${boxID}`,
  }
  const [box] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  const mayBeSold = box !== undefined && isOnSale(box)
  const linked = await db
    .select({ id: productBoxes.productId })
    .from(productBoxes)
    .where(eq(productBoxes.boxId, boxID))
  const ids = new Set(linked.map(({ id }) => id))
  const products = (await catalogue.snapshot()).products
    .filter(({ _id }) => mayBeSold && ids.has(_id))
    .map(({ _id, title }) => ({ href: at(productPath(_id)), type: 'text/html', title }))
  return new Map([
    ['defaultLink', [page]],
    ['traceability', [page, proof]],
    ['epcis', [epcis]],
    ...(box?.recallId == null
      ? []
      : ([['recallStatus', [{ ...page, title: `Fish box ${boxID} is recalled: do not eat it` }]]] as const)),
    ...(products.length > 0 ? ([['pip', products]] as const) : []),
  ])
}

/** What a thing leads to. */
type Target = { href: string; type: string; title: string }

/** The targets of one thing by their link type, without GS1's prefix. The first of a type is its default. */
type Links = ReadonlyMap<string, readonly Target[]>

/** The link type of a query without its prefix: `gs1:pip` is `pip`; null when it is none of GS1's. */
function linkTypeOf(text: string): string | null {
  const prefix = PREFIXES.find((prefix) => text.startsWith(prefix))
  return prefix === undefined ? null : text.slice(prefix.length)
}

/** All links of a thing as a link set; every page and document is in English. Source: RFC 9264 §4.2. */
function linkSet(anchor: string, links: Links) {
  const byRelation = [...links].map(([type, targets]) => [
    `${VOCABULARY}${type}`,
    targets.map((target) => ({ ...target, hreflang: ['en'] })),
  ])
  return { linkset: [{ anchor, ...Object.fromEntries(byRelation) }] }
}

/** What a resolver says of itself. Source: GS1-Conformant Resolver Standard 1.2.0 §7. */
const resolverDescription = (name: string, resolverRoot: string) => ({
  name,
  resolverRoot,
  supportedPrimaryKeys: ['00', '01'],
  supportedLinkType: [
    { namespace: VOCABULARY, prefix: 'gs1:', profile: 'https://www.gs1.org/voc/?show=linktypes' },
  ],
  linkTypeDefaultCanBeLinkset: false,
})
