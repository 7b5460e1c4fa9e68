import type { LedgerReader } from './ledger.ts'
import type { LogResult } from './verdict.ts'

/** The platform's own; it writes every form of an address in one way, `2130706433` as `127.0.0.1`. */
declare const URL: (new (text: string) => { readonly hostname: string }) & { canParse(text: string): boolean }

/**
 * Who vouched for the ledger that a history was compared with. `own`: the shop alone, or nobody can tell; `other`: a
 * node on another host, which the visitor named; `witnessed`: so many witnesses as the visitor's own policy asks for.
 * Source: protocol §6.7.
 */
export type Grade = 'own' | 'other' | 'witnessed'

/** Which addresses a check read, the chain that answered, and what that is worth. */
export interface Asked {
  readonly grade: Grade
  /** Hosts that were read, each once; none where a file of nobody knows whom was. */
  readonly hosts: readonly string[]
  /** What the chain said of itself; null when it did not answer. */
  readonly chainId: number | null
}

export interface Question {
  /** Addresses of nodes that were read, or hosts that a file of anchors came from. */
  readonly read: readonly string[]
  /** They were named by the visitor or his policy, not by the bundle. */
  readonly isChosen: boolean
  /** Addresses of the shop: the page, where the bundle came from, the node that the bundle names. */
  readonly shop: readonly string[]
}

/** Chain id of a development chain: one on this machine is nobody else's. */
const DEVELOPMENT_CHAIN = 31337

/**
 * Grades a check by the addresses that were read and the chain that answered. In doubt it is `own`. An address alone
 * can't tell that a name elsewhere belongs to the shop all the same. Source: protocol §6.7.
 */
export async function askedOf(reader: LedgerReader, question: Question): Promise<Asked> {
  const { chainId } = await reader.identity().catch(() => ({ chainId: null }))
  const hosts = [...new Set(question.read.map(hostOf).filter((host) => host !== ''))]
  return { grade: gradeOf(question, chainId), hosts, chainId }
}

/** What was asked, with what witnesses signed: they vouch for what the shop's node alone does not. */
export const withWitnesses = (asked: Asked, log: LogResult | undefined): Asked =>
  asked.grade === 'own' && log?.state === 'witnessed' ? { ...asked, grade: 'witnessed' } : asked

/** One independent node is enough, since all that were read had to agree. */
function gradeOf({ read, isChosen, shop }: Question, chainId: number | null): Grade {
  if (!isChosen || chainId === null) return 'own'
  const shops = shop.map(hostOf)
  const isOthers = (address: string): boolean => {
    const host = hostOf(address)
    if (host === '' || shops.some((own) => isSameHost(host, own))) return false
    return !(isLoopback(host) && (chainId === DEVELOPMENT_CHAIN || shops.some(isLoopback)))
  }
  return read.some(isOthers) ? 'other' : 'own'
}

/** The host of an address or of a bare host name, without port, brackets and closing dot; '' where there is none. */
export function hostOf(address: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`
  if (!URL.canParse(url)) return ''
  return new URL(url).hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

/**
 * Equal, or under the same registered name as far as it shows: the last two labels, or three where the last has two
 * letters and the one before at most three (`example.com.au`). Numbers are hosts of their own.
 */
export function isSameHost(a: string, b: string): boolean {
  if (a === b) return true
  if (a === '' || b === '' || isAddress(a) || isAddress(b)) return false
  const names = [a, b].map(registeredName)
  return names[0] !== undefined && names[0] === names[1]
}

const isAddress = (host: string): boolean => host.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(host)

function registeredName(host: string): string | undefined {
  const labels = host.split('.')
  const [last = '', before = ''] = labels.toReversed()
  const size = last.length === 2 && before.length <= 3 ? 3 : 2
  return labels.length < 2 ? undefined : labels.slice(-size).join('.')
}

/** Is it a name or number of this very machine? */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  /^127\./.test(host) ||
  host === '0.0.0.0' ||
  host === '::' ||
  host === '::1' ||
  /^::ffff:7f[0-9a-f]{2}:/.test(host)
