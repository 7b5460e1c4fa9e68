import { resolve } from 'node:path'
import { BUILDS } from '../log/builds.ts'
import { keyTypes, parseVerifierKey, type VerifierKey, verifierKey } from '../log/note.ts'

/** What a witness is started with. */
export interface WitnessSettings {
  /** Its name, and that of its keys. */
  readonly name: string
  /** Where its keys are, and what it signed. */
  readonly folder: string
  /** Key of the log that it watches. */
  readonly log: VerifierKey
  /** Address of that log, which it follows by itself; undefined: it waits for who asks. */
  readonly logUrl: string | undefined
  /** Address of the shop whose anchors are audited; undefined: a general witness, which compares states of the log alone. */
  readonly shopUrl: string | undefined
  /** Key of the log of builds of the same shop, and where it is followed; undefined: that is not watched. */
  readonly builds: { readonly log: VerifierKey; readonly logUrl: string | undefined } | undefined
  /** Name under which copies of the logs are kept, served and signed; undefined: none are. */
  readonly mirror: string | undefined
  readonly pollS: number
  readonly host: string
  readonly port: number
  /** File of the checker that it serves; undefined: that of a build beside it, where there is one. */
  readonly checker: string | undefined
  /** File of the policy beside that; undefined: this witness alone. */
  readonly policy: string | undefined
}

export class SettingError extends Error {}

/** An empty variable counts as unset. @throws SettingError that names the variable */
export function readSettings(env: Readonly<Record<string, string | undefined>>): WitnessSettings {
  const of = (name: string): string | undefined => env[name]?.trim() || undefined
  const pathOf = (file: string | undefined) => file && resolve(env.INIT_CWD ?? '.', file)
  const log = logKeyOf('WITNESS_LOG', of('WITNESS_LOG'))
  const logUrl = addressOf('WITNESS_LOG_URL', of('WITNESS_LOG_URL'))
  const name = checked('WITNESS_NAME', of('WITNESS_NAME'), nameOfKey)
  const builds = buildsOf(of, log, logUrl)
  return {
    name,
    folder: resolve(env.INIT_CWD ?? '.', of('WITNESS_DIR') ?? 'witness-data'),
    log,
    logUrl,
    shopUrl: shopOf(of, logUrl),
    builds,
    mirror: mirrorOf(of, name, [logUrl, ...(builds === undefined ? [] : [builds.logUrl])]),
    pollS: numberOf('WITNESS_POLL_S', of('WITNESS_POLL_S') ?? '60', [1, 86_400]),
    host: of('WITNESS_HOST') ?? '127.0.0.1',
    port: numberOf('WITNESS_PORT', of('WITNESS_PORT') ?? '4000', [0, 65_535]),
    checker: pathOf(of('WITNESS_CHECKER')),
    policy: pathOf(of('WITNESS_POLICY')),
  }
}

function logKeyOf(name: string, text: string | undefined): VerifierKey {
  const key = checked(name, text, (given) => parseVerifierKey(given))
  if (key.type !== keyTypes.ed25519) throw new SettingError(`${name} must be the key of a log.`)
  return key
}

/** The log of builds, which is beside that of anchors unless its address is named. */
function buildsOf(
  of: (name: string) => string | undefined,
  anchors: VerifierKey,
  logUrl: string | undefined,
) {
  const text = of('WITNESS_BUILDS')
  if (text === undefined) return undefined
  const log = logKeyOf('WITNESS_BUILDS', text)
  if (log.name === anchors.name) throw new SettingError('WITNESS_BUILDS is the log of WITNESS_LOG.')
  const named = addressOf('WITNESS_BUILDS_URL', of('WITNESS_BUILDS_URL'))
  const followed =
    named ?? (logUrl && LOG_END.test(logUrl) ? logUrl.replace(LOG_END, LOG_PATH + BUILDS) : undefined)
  if (followed === undefined && of('WITNESS_KIND') !== 'general')
    throw new SettingError('WITNESS_BUILDS needs WITNESS_BUILDS_URL, the address of that log.')
  return { log, logUrl: followed }
}

const LOG_PATH = '/befaqt/log'
/** Also of one that was begun anew. */
const LOG_END = /\/befaqt\/log(?:\/\d{1,9})?$/

/** Where what changed at each anchor is asked for: the address of the log says it too, as far as it is a shop's. */
function shopOf(of: (name: string) => string | undefined, logUrl: string | undefined): string | undefined {
  const kind = of('WITNESS_KIND') ?? 'auditing'
  if (kind === 'general') return undefined
  if (kind !== 'auditing') throw new SettingError('WITNESS_KIND must be auditing or general.')
  const named = addressOf('WITNESS_SHOP_URL', of('WITNESS_SHOP_URL'))
  const shop = named ?? (logUrl && LOG_END.test(logUrl) ? logUrl.replace(LOG_END, '') : undefined)
  if (logUrl === undefined || shop === undefined)
    throw new SettingError(
      `An auditing witness needs WITNESS_LOG_URL, and WITNESS_SHOP_URL where that does not end in ${LOG_PATH}. One that compares states of the log alone is started with WITNESS_KIND=general.`,
    )
  return shop
}

/** Another name than the witness's, since a signature by it says something else; a copy needs the addresses of its logs. */
function mirrorOf(
  of: (name: string) => string | undefined,
  witness: string,
  logUrls: readonly (string | undefined)[],
): string | undefined {
  const text = of('WITNESS_MIRROR')
  if (text === undefined) return undefined
  const name = checked('WITNESS_MIRROR', text, nameOfKey)
  if (name === witness) throw new SettingError('WITNESS_MIRROR must be another name than WITNESS_NAME.')
  if (logUrls.includes(undefined))
    throw new SettingError(
      'WITNESS_MIRROR needs WITNESS_LOG_URL, and WITNESS_BUILDS_URL with WITNESS_BUILDS.',
    )
  return name
}

function addressOf(name: string, text: string | undefined): string | undefined {
  const address = text?.replace(/\/{1,20}$/, '')
  if (address !== undefined && !(/^https?:\/\//.test(address) && URL.canParse(address)))
    throw new SettingError(`${name} must be an http or https address.`)
  return address
}

/** A name that a key may have. @throws FormatError */
const nameOfKey = (name: string): string =>
  verifierKey(name, keyTypes.ed25519Cosigner, new Uint8Array(32)).name

function checked<T>(name: string, text: string | undefined, read: (text: string) => T): T {
  if (text === undefined) throw new SettingError(`${name} is missing.`)
  try {
    return read(text)
  } catch (error) {
    throw new SettingError(`${name} ${error instanceof Error ? error.message : 'is wrong'}`)
  }
}

function numberOf(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw new SettingError(`${name} must be a whole number from ${least} to ${most}.`)
  return value
}
