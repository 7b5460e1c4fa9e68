import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { MIN_PASSPHRASE } from '@befaqt/domain/backup'
import { COMPANY_PREFIX } from '@befaqt/domain/gs1'
import { isAbn } from '@befaqt/domain/order-documents'
import { parsePolicy } from '@befaqt/provenance/log/policy'
import { z } from 'zod'
import { addressesOf } from './postgres-address.ts'
import { stampSettings } from './stamp-settings.ts'
import { telemetrySettings } from './telemetry-settings.ts'
import { isProxyEntry } from './trusted-proxies.ts'

const number = z.coerce.number('must be a number')
const port = number.int('must be a whole number').min(0).max(65_535)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
/** One host or several. */
const postgresAddress = z.string().superRefine((url, context) => {
  try {
    addressesOf(url)
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : 'must be a postgres:// address')
  }
})
/** More would cost calls and add nothing: two of them have to agree. */
const MAX_NODES = 5
/** One node of a chain or several, with commas or white space between. */
const chainNodes = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter((url) => url !== ''))
  .pipe(z.array(httpUrl).min(1).max(MAX_NODES, `must be at most ${MAX_NODES} addresses`))
  .refine(
    (urls) => new Set(urls.map((url) => new URL(url).href)).size === urls.length,
    'must name each address once: a node that agrees with itself proves nothing',
  )
/** A hundred years: more is no date any more. */
const MAX_DAYS = 36_500
/** Host names with commas or white space between. */
const hostNames = z
  .string()
  .default('')
  .transform((list) => list.split(/[\s,]+/).filter((host) => host !== ''))
const hex32 = z.string().regex(/^0x[0-9a-f]{64}$/i, 'must be 0x and 64 hex digits')
const address = z.string().regex(/^0x[0-9a-f]{40}$/i, 'must be 0x and 40 hex digits')

/** Are user name and password of this URL percent-encoded correctly? */
function hasReadableUser(address: string): boolean {
  try {
    const { username, password } = new URL(address)
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

/** Every setting, by the name of its environment variable. Defaults and meanings: README 'Settings'. */
const Environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  /** Proxies whose X-Forwarded-For, -Proto and -Host are trusted; none unless set. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== ''))
    .refine(
      (entries) => entries.every(isProxyEntry),
      'must be addresses, ranges like 10.0.0.0/8 (not all of them), loopback, linklocal or uniquelocal, separated by commas',
    ),
  /** Unset: a worker does not listen. */
  WORKER_PORT: port.optional(),
  /** Seconds between "not ready" and closing the listener at SIGTERM. Unset: 5 with DATABASE_URL, else 0. */
  DRAIN_S: number.min(0).max(600).optional(),
  /** Origins whose pages may call the API with a bearer token; none unless set. */
  API_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== ''))
    .refine(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      'must be origins like https://app.example, separated by commas',
    ),
  /** `admin`: an ADMIN without a second factor gets only the page that sets it up. */
  REQUIRE_SECOND_FACTOR: z.enum(['off', 'admin', 'staff'], 'must be off, admin or staff').default('off'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: postgresAddress.optional(),
  /** Where DATABASE_URL is a pooler in transaction mode: PostgreSQL itself, for what needs a session that lasts. */
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  /** A streaming replica, which answers reads that may be long. */
  DATABASE_READ_URL: postgresAddress.optional(),
  FILES_URL: z.url({ protocol: /^s3$/, error: 'must be an s3:// address' }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.string().min(3).default('BeFAQT <no-reply@localhost>'),
  /** With several, two have to say the same. */
  CHAIN_RPC_URL: chainNodes.optional(),
  CHAIN_PRIVATE_KEY: hex32.optional(),
  CHAIN_CONTRACT: address.optional(),
  CHAIN_PUBLIC_RPC_URL: httpUrl.optional(),
  ANCHOR_INTERVAL_S: number.min(0.1).max(86_400).default(60),
  MQTT_URL: z
    .url({ protocol: /^mqtts?$/, error: 'must be an mqtt:// or mqtts:// address' })
    .refine(hasReadableUser, 'must have its user name and password percent-encoded')
    .optional(),
  /** Unset: the default port; if it is in use, the shop starts without MQTT. */
  MQTT_PORT: port.optional(),
  ADMIN_EMAIL: z.email('must be an email address').optional(),
  ADMIN_PASSWORD: z.string().min(6, 'must have 6 or more characters').optional(),
  GEOCODER_URL: httpUrl.optional(),
  GEOCODER_KEY: z.string().optional(),
  MAP_TILES_URL: z
    .string()
    .regex(/^https?:\/\/.*\{z\}.*\{x\}.*\{y\}/, 'must hold {z}, {x} and {y}')
    .optional(),
  MAP_ATTRIBUTION: z.string().max(300).optional(),
  /** Who sells, until an administrator says so under Manage Site; without an ABN nothing is called a tax invoice. */
  SELLER_NAME: z.string().max(200).optional(),
  SELLER_ABN: z.string().refine(isAbn, 'must be an ABN: 11 digits with right check digits').optional(),
  SELLER_ADDRESS: z.string().max(300).optional(),
  /** How customers reach the shop, for its page of contacts. */
  SELLER_EMAIL: z.email('must be an email address').optional(),
  SELLER_PHONE: z.string().max(40).optional(),
  /** Hosts of the operator's own network that webhooks may be sent to. */
  WEBHOOK_PRIVATE_HOSTS: hostNames,
  /** Hosts of the operator's own network that pictures of a product file may be fetched from. */
  PICTURE_PRIVATE_HOSTS: hostNames,
  /** Payment by card, off unless both are set. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[rs]k_(live|test)_\w{8,}$/, 'must be a secret or restricted key of Stripe, as sk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S{8,}$/, 'must be the signing secret of a webhook endpoint, as whsec_…')
    .optional(),
  STRIPE_API_URL: httpUrl
    .refine((url) => new URL(url).pathname === '/', 'must be an address without a path')
    .default('https://api.stripe.com'),
  /** Of the operator's own licence: then labels hold GS1 keys. Unset: the address of the box's page. */
  GS1_COMPANY_PREFIX: z.string().regex(COMPANY_PREFIX, 'must be 4 to 12 digits').optional(),
  /** Who is asked to sign the log of anchors: a policy of C2SP's tlog-policy. Unset: nobody. */
  WITNESSES: z
    .string()
    .transform((text, context) => {
      try {
        return parsePolicy(Buffer.from(`${text.trim()}\n`))
      } catch (error) {
        context.addIssue(`is no policy: ${error instanceof Error ? error.message : ''}`)
        return z.NEVER
      }
    })
    .refine(
      ({ witnesses }) =>
        [...witnesses.values()].every(
          ({ url }) => url === undefined || (/^https?:/.test(url) && URL.canParse(url)),
        ),
      'must name http or https addresses',
    )
    .optional(),
  ...stampSettings,
  /** A caching proxy in front: the header of its tags. Unset: only browsers keep pages. */
  CDN_TAG_HEADER: z.enum(['Surrogate-Key', 'Cache-Tag'], 'must be Surrogate-Key or Cache-Tag').optional(),
  /** Where its copies are cleared by tag. */
  CDN_PURGE_URL: httpUrl.optional(),
  CDN_PURGE_SECRET: z.string().min(8, 'must have 8 or more characters').optional(),
  /** Where backups of the desk go, of which the worker tries the newest each week. Unset: DATA_DIR/backups, and no drill. */
  BACKUP_DIR: z.string().refine(isAbsolute, 'must be the absolute path of a folder').optional(),
  /** By which the desk encrypts backups, and the worker opens them. */
  BACKUP_PASSPHRASE: z
    .string()
    .min(MIN_PASSPHRASE, `must have ${MIN_PASSPHRASE} or more characters`)
    .optional(),
  /** Days after which a sealed box is written to the file store as one file. Unset: none is. */
  ARCHIVE_AFTER_DAYS: number.int('must be a whole number').min(1).max(MAX_DAYS).optional(),
  /** How large a backup may be that is restored on the page of a bare shop; 0: none is. */
  RESTORE_MAX_MB: number.int('must be a whole number').min(0).max(100_000_000).default(20_000),
  /** Days that a file is in the store before rows of its box are dropped. Unset: they stay. */
  ARCHIVE_DROP_AFTER_DAYS: number.int('must be a whole number').min(1).max(MAX_DAYS).optional(),
  SAMPLE_DATA: z.enum(['on', 'off']).default('on'),
  /** Simulated boxes of the sample shop that are under way at once; 0: none. */
  SAMPLE_JOURNEYS: number.int('must be a whole number').min(0).max(20).default(0),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Where the security log goes: the standard output or a file. Unset: off. */
  SECURITY_LOG: z
    .string()
    .refine((to) => to === 'stdout' || isAbsolute(to), 'must be stdout or the absolute path of a file')
    .optional(),
  /** Milliseconds from which on a statement is told with its plan; 0: none is. */
  SLOW_STATEMENT_MS: number.min(0).max(600_000).default(2_000),
  WEB_DIST: z.string().default('./web/dist'),
  ...telemetrySettings,
})

type Environment = z.infer<typeof Environment>
export type Config = Omit<Environment, 'PUBLIC_URL' | 'SAMPLE_DATA'> & {
  PUBLIC_URL: string
  SAMPLE_DATA: boolean
}

/**
 * Reads and validates the settings, once, at start. An empty variable counts as unset, as in shells and compose files.
 * @throws Error whose message names each wrong variable
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const parsed = Environment.safeParse({ ...set, ...fromFiles(set) })
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`Wrong setting. ${wrong.join('. ')}. The README lists every setting.`)
  }
  const { PUBLIC_URL, SAMPLE_DATA, ...rest } = parsed.data
  if ((rest.CHAIN_RPC_URL === undefined) !== (rest.CHAIN_PRIVATE_KEY === undefined))
    throw new Error('Wrong setting. CHAIN_RPC_URL and CHAIN_PRIVATE_KEY go together: set both or none.')
  if (rest.SAMPLE_JOURNEYS > 0 && SAMPLE_DATA === 'off')
    throw new Error(
      'Wrong setting. SAMPLE_JOURNEYS: only a shop with sample data has them: not with SAMPLE_DATA=off.',
    )
  if (rest.SELLER_ABN !== undefined && (rest.SELLER_NAME === undefined || rest.SELLER_ADDRESS === undefined))
    throw new Error('Wrong setting. SELLER_ABN: tax invoices need SELLER_NAME and SELLER_ADDRESS, too.')
  if ((rest.STRIPE_SECRET_KEY === undefined) !== (rest.STRIPE_WEBHOOK_SECRET === undefined))
    throw new Error(
      'Wrong setting. STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: set both or none.',
    )
  if ((rest.CDN_PURGE_URL === undefined) !== (rest.CDN_PURGE_SECRET === undefined))
    throw new Error('Wrong setting. CDN_PURGE_URL and CDN_PURGE_SECRET go together: set both or none.')
  if (rest.CDN_PURGE_URL !== undefined && rest.CDN_TAG_HEADER === undefined)
    throw new Error('Wrong setting. CDN_PURGE_URL goes with CDN_TAG_HEADER, by whose tags it clears copies.')
  if (rest.TIMESTAMP_CA !== undefined && rest.TIMESTAMP_URL === undefined)
    throw new Error('Wrong setting. TIMESTAMP_CA goes with TIMESTAMP_URL, whose time stamps it vouches for.')
  if (rest.DATABASE_DIRECT_URL !== undefined && rest.DATABASE_URL === undefined)
    throw new Error('Wrong setting. DATABASE_DIRECT_URL goes with DATABASE_URL, which is then a pooler.')
  if (rest.DATABASE_READ_URL !== undefined && rest.DATABASE_URL === undefined)
    throw new Error('Wrong setting. DATABASE_READ_URL goes with DATABASE_URL, whose replica it is.')
  if (rest.DATABASE_READ_URL !== undefined && addressesOf(rest.DATABASE_READ_URL).length > 1)
    throw new Error(
      'Wrong setting. DATABASE_READ_URL: must name one host; each process can have one of its own.',
    )
  if (rest.PORT === 0 && PUBLIC_URL === undefined)
    throw new Error(
      'Wrong setting. PORT: 0 lets the system choose, so links would lead nowhere: set PUBLIC_URL too, or a port.',
    )
  return {
    ...rest,
    DATA_DIR: resolve(rest.DATA_DIR),
    PUBLIC_URL: new URL(PUBLIC_URL ?? `http://localhost:${rest.PORT}`).origin,
    SAMPLE_DATA: SAMPLE_DATA === 'on',
  }
}

/** Names of all settings. */
export const settingNames: readonly string[] = Object.keys(Environment.shape)

/** No setting is longer. */
const MAX_FILE_CHARS = 65_536

/** Settings whose value is in the file that NAME_FILE names, as secrets of containers and of systemd are handed over. */
function fromFiles(set: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of settingNames) {
    const path = set[`${name}_FILE`]
    if (path === undefined) continue
    if (set[name] !== undefined)
      throw new Error(`Wrong setting. ${name} and ${name}_FILE are both set: one of them has to go.`)
    const value = textOf(name, path)
    if (value.length > MAX_FILE_CHARS) throw new Error(`Wrong setting. ${name}_FILE: ${path} is too large.`)
    if (value !== '') values[name] = value
  }
  return values
}

function textOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Wrong setting. ${name}_FILE: the file can't be read: ${why}`, { cause })
  }
}
