import { facetKinds } from '@befaqt/domain/shelf-choices'
import { isApiPath } from '#server/http/errors.ts'

/** Only its path and query are read. */
const ANY_ORIGIN = 'http://localhost'
/** `//x` is a URL with the host x, so it can't be a page's path. Source: WHATWG URL, 'path-absolute'. */
const HOST_LIKE = /^\/{2,}/
/** A URL that parsing may change has one of these. */
const NOT_NORMAL = /[%\\\s]|\/\.|\/\//

/**
 * The URL as browsers serialize it: without dot segments, backslashes, or leading slashes that make a path look like a
 * host. The renderer parses URLs like this, so access rules and caches have to as well.
 */
export function normalizeUrl(url: string): string {
  if (!NOT_NORMAL.test(url)) return url
  const { pathname, search } = new URL(ANY_ORIGIN + url)
  return pathname.replace(HOST_LIKE, '/') + search
}

/** The path and query of a request target in absolute form, `GET http://shop/x`. Source: RFC 9112 §3.2.2. */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')

/**
 * Encodes each percent sign of a page's URL whose percent-encoding is malformed, so that it gets the page 'not found'.
 * URLs of the API are unchanged and rejected later. Source: RFC 3986 §2.1.
 */
export function repairPercentEncoding(url: string): string {
  if (!url.includes('%') || isApiPath(url)) return url
  const [path = '', ...query] = url.split('?')
  try {
    decodeURI(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

/**
 * Is this page the same for everybody until the catalogue changes? Not account pages, which have tokens in their URL, nor
 * box pages, which change with every reading, nor the checkout, which shows what slots are left.
 * @param url normalized
 */
export const isPublicPage = (url: string): boolean =>
  !/^\/(?:user|manage|sfmbox|checkout)(?:\/|$)/i.test(decodeURI(url.split('?', 1)[0] ?? ''))

const BOX_PAGE = /^\/SFMBox\/byId\/([\w.-]+)(?:\?|$)/i

/** The boxID of a box page's URL, if it is spelled as in our links; else undefined. */
export const boxIdFromPath = (url: string): string | undefined => BOX_PAGE.exec(url)?.[1]

/** Tracking parameters of advertisers and mailing services; often unique to each click. */
const TRACKING_PARAM = /^(?:utm_\w+|fbclid|gclid|gbraid|wbraid|msclkid|mc_cid|mc_eid)(?:=|$)/i

/** The URL without tracking parameters, so that one cached page serves a whole campaign. */
export function stripTrackingParams(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const query = url.slice(at + 1).split('&')
  const read = query.filter((field) => !TRACKING_PARAM.test(field))
  if (read.length === query.length) return url
  return url.slice(0, at) + (read.length === 0 ? '' : `?${read.join('&')}`)
}

/** Choices of a list in one address that a cache keeps. */
const MAX_KEPT_CHOICES = 3

/** Does an address combine so many choices that a cache of all such would hold nothing else? */
export function isCombination(url: string): boolean {
  if (!url.includes('?')) return false
  const { searchParams } = new URL(ANY_ORIGIN + url)
  const chosen = facetKinds.flatMap((kind) => searchParams.getAll(kind).flatMap((text) => text.split(',')))
  return chosen.length > MAX_KEPT_CHOICES
}
