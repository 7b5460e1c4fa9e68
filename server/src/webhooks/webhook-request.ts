import { createHmac, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns'
import { lookup as resolveName } from 'node:dns/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const SECRET_PREFIX = 'whsec_'
const TIMEOUT_MS = 10_000
/** How long somebody waits who types a target in. */
const LOOKUP_MS = 3_000
/** Names of this machine or of a network of its own. Source: RFC 6761, RFC 6762, RFC 9476, ICANN's `internal`. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|lan)\.?$/i

/** A new secret of a webhook, in the form of Standard Webhooks: 32 random bytes. */
export const newWebhookSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`

/**
 * The headers of a signed message: HMAC-SHA-256 over id, timestamp and the raw body. Source: Standard Webhooks 1.0.
 * @param at when it is sent, in milliseconds since 1970
 */
export function signatureHeaders(
  secret: string,
  id: string,
  body: string,
  at: number,
): Record<string, string> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const inside = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(net, bits, 'ipv4')

/** Of IPv6 only the global unicast range is outside, but for what carries an IPv4 address in it or is documentation. */
const outside6 = new BlockList()
outside6.addSubnet('2000::', 3, 'ipv6')
const inside6 = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside6.addSubnet(net, bits, 'ipv6')

/** Is this an address that anybody on the internet could have, and nobody in our own network? */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) === 4
    ? !inside.check(address, 'ipv4')
    : isIP(address) === 6 && outside6.check(address, 'ipv6') && !inside6.check(address, 'ipv6')

/** Why a URL can't be a webhook's; undefined: it can. @param allowed hosts of our own network that may be called, also by http */
export function webhookUrlError(text: string, allowed: readonly string[]): string | undefined {
  if (!URL.canParse(text)) return 'must be a web address'
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return 'must have no user name and password'
  if (allowed.includes(hostname)) return /^https?:$/.test(protocol) ? undefined : 'must be a web address'
  if (protocol !== 'https:') return 'must begin with https://'
  if (LOCAL_NAME.test(hostname)) return 'must not lead into a private network'
  const literal = hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) !== 0 && !isPublicAddress(literal) ? 'must not lead into a private network' : undefined
}

/**
 * As `webhookUrlError`, and what a name leads to now. One that leads nowhere yet may be stored: it is looked up again, and
 * checked, whenever something is sent.
 */
export async function webhookTargetError(
  text: string,
  allowed: readonly string[],
): Promise<string | undefined> {
  const problem = webhookUrlError(text, allowed)
  if (problem !== undefined) return problem
  const { hostname } = new URL(text)
  if (allowed.includes(hostname)) return undefined
  const found = await Promise.race([
    resolveName(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []),
    setTimeout(LOOKUP_MS, [], { ref: false }),
  ])
  return found.every(({ address }) => isPublicAddress(address))
    ? undefined
    : 'must not lead into a private network'
}

/**
 * For `lookup` of a request: the address that a name has is looked up once, checked, and connected to, so that a name that
 * changes its address in between leads nowhere else. @param mayBePrivate the host is one of our own network that is allowed
 */
export const checkedLookup =
  (mayBePrivate: boolean): LookupFunction =>
  (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || first === undefined) return done(error ?? new Error('no address'), '', 4)
      const isAllowed = mayBePrivate || found.every(({ address }) => isPublicAddress(address))
      if (!isAllowed) return done(new Error('The name leads into a private network.'), '', 4)
      if (options.all) return done(null, found)
      done(null, first.address, first.family)
    })

/**
 * Posts a body to an address that `checkedLookup` found, without following redirects.
 * @throws Error when the response is not 2xx, times out, or the address is private and not allowed
 */
export function postWebhook(
  url: string,
  {
    body,
    headers,
    allowed,
    signal,
  }: { body: string; headers: Record<string, string>; allowed: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const problem = webhookUrlError(url, allowed)
  if (problem !== undefined) return Promise.reject(new Error(`The address ${problem}.`))
  const { hostname, protocol } = new URL(url)
  const mayBePrivate = allowed.includes(hostname)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const send = protocol === 'https:' ? httpsRequest : httpRequest
  const call = send(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    lookup: checkedLookup(mayBePrivate),
  })
  call.on('error', reject)
  call.on('response', (response) => {
    const { statusCode = 0 } = response
    response.destroy()
    if (statusCode >= 200 && statusCode < 300) resolve()
    else reject(new Error(`It answered ${statusCode}.`))
  })
  call.end(body)
  return promise
}
