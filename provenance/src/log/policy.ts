import { hostOf, isLoopback, isSameHost } from '../asked.ts'
import { hexOf, textOf } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { keyTypes, parseVerifierKey, type VerifierKey, verifierKeyText } from './note.ts'
import type { OpenedCheckpoint } from './signed-checkpoint.ts'

/*
 * Policies: which logs one believes, which witnesses, and how many of these have to have signed.
 * Source: C2SP tlog-policy.
 */

/** A log or a witness: its key and, where one is named, its address. */
export interface Party {
  readonly key: VerifierKey
  readonly url: string | undefined
}

/** At least `k` of its members have to sign. */
interface Group {
  readonly k: number
  readonly members: readonly string[]
}

export interface Policy {
  readonly logs: readonly Party[]
  /** By their names in the policy. */
  readonly witnesses: ReadonlyMap<string, Party>
  readonly groups: ReadonlyMap<string, Group>
  /** A witness or a group; null: none has to sign. */
  readonly quorum: string | null
}

/** A policy is this long at most: 64 keys of ML-DSA-44 have half of it. */
const MAX_POLICY = 262_144
/** At most so many logs, witnesses and groups each. */
const MAX_PARTIES = 64
const MAX_LINES = 1_000
const NONE = 'none'

/** What is read so far. */
class Reading implements Policy {
  readonly logs: Party[] = []
  readonly witnesses = new Map<string, Party>()
  readonly groups = new Map<string, Group>()
  /** Names that are members of a group. */
  readonly members = new Set<string>()
  quorum: string | null = null
  hasQuorum = false

  has(name: string): boolean {
    return this.witnesses.has(name) || this.groups.has(name)
  }
}

/** The policy of a file. Names are compared byte by byte. @throws FormatError with the number of the line */
export function parsePolicy(bytes: Uint8Array): Policy {
  if (bytes.length > MAX_POLICY) throw new FormatError('$', `is over ${MAX_POLICY} bytes`)
  const lines = Array.from(bytes, (byte) => String.fromCharCode(byte))
    .join('')
    .split('\n')
  if (lines.pop() !== '' || lines.length > MAX_LINES)
    throw new FormatError('$', `must be ${MAX_LINES} lines at most, each with a newline`)
  const policy = new Reading()
  for (const [i, line] of lines.entries()) {
    const path = `$[${i}]`
    if (/[^\t\x20-\x7e\x80-\xff]/.test(line)) throw new FormatError(path, 'must not hold control characters')
    const [word = '', ...words] = line.split(/[ \t]+/).filter((item) => item !== '')
    if (word !== '' && !word.startsWith('#')) readLine(policy, word, words, path)
  }
  if (!policy.hasQuorum) throw new FormatError('$', 'must hold a line with the quorum')
  return policy
}

function readLine(policy: Reading, word: string, words: readonly string[], path: string): void {
  if (word === 'log' && words.length >= 1 && words.length <= 2) {
    policy.logs.push(party(words, [keyTypes.ed25519], policy.logs, path))
  } else if (word === 'witness' && words.length >= 2 && words.length <= 3) {
    const types = [keyTypes.ed25519Cosigner, keyTypes.mlDsa44Cosigner]
    const witness = party(words.slice(1), types, [...policy.witnesses.values()], path)
    policy.witnesses.set(newName(policy, words[0], path), witness)
  } else if (word === 'group' && words.length >= 3) {
    readGroup(policy, words, path)
  } else if (word === 'quorum' && words.length === 1 && !policy.hasQuorum) {
    const [name = ''] = words
    if (name !== NONE && !policy.has(name)) throw new FormatError(path, 'names what no line before it does')
    policy.quorum = name === NONE ? null : name
    policy.hasQuorum = true
  } else throw new FormatError(path, 'is no line of a policy')
}

function newName(policy: Reading, name = '', path: string): string {
  if (name === NONE || policy.has(name)) throw new FormatError(path, 'gives a name that is taken')
  return name
}

/** A key and perhaps an address. Two parties of one kind must not have one key, whatever they are called. */
function party(
  [key = '', url]: readonly string[],
  types: readonly number[],
  others: readonly Party[],
  path: string,
): Party {
  const read = { key: parseVerifierKey(asText(key, path), path), url: url && asText(url, path) }
  if (!types.includes(read.key.type)) throw new FormatError(path, 'has a key of another kind')
  if (others.some((other) => isSameKey(other.key, read.key)))
    throw new FormatError(path, 'has the key of another line')
  if (others.length >= MAX_PARTIES) throw new FormatError(path, `is one of more than ${MAX_PARTIES}`)
  return read
}

const isSameKey = (a: VerifierKey, b: VerifierKey): boolean => hexOf(a.publicKey) === hexOf(b.publicKey)

/** A word, whose bytes are read as UTF-8. */
function asText(word: string, path: string): string {
  try {
    return textOf(Uint8Array.from(word, (letter) => letter.charCodeAt(0)))
  } catch {
    throw new FormatError(path, 'must be UTF-8')
  }
}

function readGroup(policy: Reading, [name, k = '', ...members]: readonly string[], path: string): void {
  const wanted = { any: 1, all: members.length }[k] ?? (/^[1-9]\d?$/.test(k) ? Number(k) : 0)
  if (wanted < 1 || wanted > members.length)
    throw new FormatError(path, 'must say any, all, or a number up to that of its members')
  for (const member of members) {
    if (!policy.has(member)) throw new FormatError(path, 'names what no line before it does')
    if (policy.members.has(member)) throw new FormatError(path, 'names a member of a group again')
    policy.members.add(member)
  }
  if (policy.groups.size >= MAX_PARTIES) throw new FormatError(path, `is one of more than ${MAX_PARTIES}`)
  policy.groups.set(newName(policy, name, path), { k: wanted, members })
}

/** The text of a policy about one log, as `parsePolicy` reads it back: a byte for each character. */
export function policyText({ witnesses, groups, quorum }: Policy, log: VerifierKey): string {
  const lines = [
    ['log', verifierKeyText(log)],
    ...Array.from(witnesses, ([name, { key, url }]) => ['witness', name, verifierKeyText(key), url ?? '']),
    ...Array.from(groups, ([name, { k, members }]) => ['group', name, k, ...members]),
    ['quorum', quorum ?? NONE],
  ]
  return lines.map((words) => `${words.join(' ').trimEnd()}\n`).join('')
}

/** Keys of a policy, as `openCheckpoint` wants them. */
export const keysOf = ({ logs, witnesses }: Policy) => ({
  logs: logs.map(({ key }) => key),
  cosigners: Array.from(witnesses.values(), ({ key }) => key),
})

/** How a checkpoint stands under a policy. */
export interface Witnessed {
  /** `none`: the policy asks for no witness. */
  readonly quorum: 'reached' | 'missed' | 'none'
  /** Members of the quorum that have signed, and how many it has. */
  readonly k: number
  readonly n: number
  /** Names of the witnesses that count, with the time that each says, in seconds. */
  readonly by: readonly { readonly name: string; readonly timeS: number }[]
}

/**
 * Who of a policy's witnesses signed a checkpoint that was opened with its keys. A witness on a host of the log itself,
 * or with the key of a log, is not counted: it is nobody else.
 */
export function witnessed({ checkpoint, cosignatures }: OpenedCheckpoint, policy: Policy): Witnessed {
  const signed = new Map<string, number>()
  for (const [name, witness] of policy.witnesses) {
    const by = cosignatures.find(({ key }) => key.id === witness.key.id && isSameKey(key, witness.key))
    if (by !== undefined && isOther(witness, checkpoint.origin, policy)) signed.set(name, by.timeS)
  }
  const has = (name: string): boolean => {
    const group = policy.groups.get(name)
    return group === undefined ? signed.has(name) : group.members.filter(has).length >= group.k
  }
  const { quorum } = policy
  const members = quorum === null ? [] : (policy.groups.get(quorum)?.members ?? [quorum])
  return {
    quorum: quorum === null ? 'none' : has(quorum) ? 'reached' : 'missed',
    k: members.filter(has).length,
    n: members.length,
    by: Array.from(signed, ([name, timeS]) => ({ name, timeS })),
  }
}

/** Somebody else than the log, as far as keys and names tell. */
function isOther({ key, url }: Party, origin: string, { logs }: Policy): boolean {
  const own = hostOf(origin)
  const hosts = [hostOf(key.name), ...(url === undefined ? [] : [hostOf(url)])].filter((host) => host !== '')
  const isOwn = (host: string): boolean => isSameHost(host, own) || (isLoopback(host) && isLoopback(own))
  return !hosts.some(isOwn) && !logs.some((log) => isSameKey(log.key, key))
}
