import { isApiPath } from '#server/http/api-path.ts'

/** Only its path and query are read. */
const ANY_ORIGIN = 'http://localhost'
/** `//x` names a host wherever it stands alone, so no page is known by it. Source: WHATWG URL, 'path-absolute'. */
const HOST_LIKE = /^\/{2,}/
/** What is read otherwise than it is written has one of these. */
const ODD = /[%\\\s]|\/\.|\/\//

/**
 * An address as every browser writes it: without dot segments, backslashes, or slashes that make a path look like a
 * host. The renderer reads addresses in this way, so what decides about a page has to as well.
 */
export function normalizeUrl(url: string): string {
  if (!ODD.test(url)) return url
  const { pathname, search } = new URL(ANY_ORIGIN + url)
  return pathname.replace(HOST_LIKE, '/') + search
}

/**
 * Addresses of pages whose percent-encoding can't be read, with each percent sign encoded: they then name a page
 * that is not there, and are answered by it. Calls stay as they are and are refused. Source: RFC 3986 §2.1.
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
 * Pages that anybody gets alike until the catalogue changes. Account pages carry tokens in their address, and box
 * pages change with every reading.
 * @param url a plain address
 */
export const isPublicPage = (url: string): boolean =>
  !/^\/(?:user|manage|sfmbox)(?:\/|$)/i.test(decodeURI(url.split('?', 1)[0] ?? ''))

const BOX_PAGE = /^\/SFMBox\/byId\/([\w.-]+)(?:\?|$)/i

/** The boxID whose page this is, in the spelling that our links have; undefined for every other address. */
export const boxIdFromPath = (url: string): string | undefined => BOX_PAGE.exec(url)?.[1]

/** What advertisers and mailers add to an address to follow a click; often another one for each click. */
const TRACKING_PARAM = /^(?:utm_\w+|fbclid|gclid|gbraid|wbraid|msclkid|mc_cid|mc_eid)(?:=|$)/i

/** The URL without tracking parameters, so that one cached page serves all of a campaign. */
export function stripTrackingParams(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const query = url.slice(at + 1).split('&')
  const read = query.filter((field) => !TRACKING_PARAM.test(field))
  if (read.length === query.length) return url
  return url.slice(0, at) + (read.length === 0 ? '' : `?${read.join('&')}`)
}
