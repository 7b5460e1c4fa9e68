import { setTimeout as sleep } from 'node:timers/promises'

/** `note`: to know, nothing to do. `warning`: it works, and will not always. `fault`: something does not work. */
export type Level = 'ok' | 'note' | 'warning' | 'fault'

/** What a check found, in a sentence, and what to do about it. */
export type Said = { level: Level; words: string; todo?: string }

/** What was found, by which check. */
export type Finding = { check: string } & Said

/** Finds out one thing, and changes nothing. Nothing found: all is well. */
export type Check = {
  name: string
  /** It is not waited for any longer. */
  limitMs: number
  /** @param signal aborts at its limit */
  run(signal: AbortSignal): Promise<Said[]>
}

export const ok = (words: string): Said => ({ level: 'ok', words })
export const note = (words: string): Said => ({ level: 'note', words })
export const warning = (words: string, todo: string): Said => ({ level: 'warning', words, todo })
export const fault = (words: string, todo: string): Said => ({ level: 'fault', words, todo })

/** The most findings of one check that are told one by one. */
const MAX_TOLD = 20

/** Runs checks one after the other: what one does must not make another late. */
export async function* runChecks(checks: readonly Check[]): AsyncGenerator<Finding> {
  for (const check of checks) {
    const found = await withinLimit(check)
    for (const said of found.slice(0, MAX_TOLD)) yield { check: check.name, ...said }
    const more = found.length - MAX_TOLD
    if (more > 0)
      yield { check: check.name, ...warning(`${more} more of these were found.`, 'See the first ones.') }
  }
}

async function withinLimit({ name, limitMs, run }: Check): Promise<Said[]> {
  const limit = new AbortController()
  const timer = new AbortController()
  const late = sleep(limitMs, undefined, { signal: timer.signal }).then((): Said[] => {
    limit.abort()
    return [
      warning(
        `This could not be found out within ${limitMs / 1000} s.`,
        `Something that “${name}” asks hangs, or is slow: look at what else is said here, then ask again.`,
      ),
    ]
  })
  const asked = run(limit.signal).then(
    (found) => (found.length === 0 ? [ok('Nothing is wrong.')] : found),
    (error: unknown) => [
      warning(`This could not be found out: ${reasonOf(error)}`, 'Put that right, then ask again.'),
    ],
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    timer.abort()
    late.catch(() => undefined)
  }
}

/** The first cause of an error, in its own words, on one line. */
export function reasonOf(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  if (!(inner instanceof Error)) return String(inner)
  const code = 'code' in inner ? String(inner.code) : ''
  const words = (inner.message || code || inner.name).split('\n')[0] ?? ''
  return code === '' || words.includes(code) ? words : `${words} (${code})`
}

/** Names of settings whose value, or a part of it, lets in whoever knows it. */
const SECRET =
  /^(DATABASE_URL|DATABASE_DIRECT_URL|DATABASE_READ_URL|FILES_URL|SMTP_URL|MQTT_URL|CHAIN_RPC_URL|CHAIN_PRIVATE_KEY|ADMIN_PASSWORD|GEOCODER_URL|GEOCODER_KEY|CDN_PURGE_URL|CDN_PURGE_SECRET|STRIPE_SECRET_KEY|STRIPE_WEBHOOK_SECRET|BEFAQT_PASSPHRASE|BACKUP_PASSPHRASE)$/
/** A shorter one would be found in words that have nothing to do with it. */
const MIN_SECRET = 4

/**
 * Takes secrets out of a text, wherever they came in, as in what a library says of an address.
 * @param values of settings, by their names
 */
export function secretFilter(values: Readonly<Record<string, unknown>>): (text: string) => string {
  const secrets = Object.entries(values)
    .filter(([name, value]) => SECRET.test(name) && typeof value === 'string')
    .flatMap(([name, value]) => (name === 'CHAIN_RPC_URL' ? String(value).split(/[\s,]+/) : [String(value)]))
    .flatMap(partsOf)
    .filter((secret) => secret.length >= MIN_SECRET)
    .sort((a, b) => b.length - a.length)
  return (text) =>
    secrets
      .reduce((clean, secret) => clean.replaceAll(secret, '…'), text)
      .replaceAll(/(?<=:\/\/)[^\s/@]+@/g, '…@')
}

/** A whole value that is no address; of an address its password, and what a service is paid by: path and query. */
function partsOf(value: string): string[] {
  const start = value.indexOf('://') + 3
  if (start < 3) return [value]
  const length = value.slice(start).search(/[/?#]/)
  const authority = length < 0 ? value.slice(start) : value.slice(start, start + length)
  const rest = value.slice(start + authority.length)
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')))
  const password = user.includes(':') ? user.slice(user.indexOf(':') + 1) : ''
  const isDatabase = value.startsWith('postgres')
  const query = [...new URLSearchParams(rest.slice(rest.indexOf('?') + 1))].map(([, one]) => one)
  const paths = isDatabase ? [] : rest.split(/[/?#&=]/).filter((part) => part.length >= LONG)
  const secrets = query.filter((one) => isDatabase || one.length >= LONG)
  return [password, readable(password), ...paths, ...(rest.includes('?') ? secrets : [])]
}

/** A part of an address that is as long as a key. */
const LONG = 16

function readable(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
