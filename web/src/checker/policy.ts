import { FormatError } from '@befaqt/provenance'
import { hostOf, isLoopback, isSameHost } from '@befaqt/provenance/asked'
import { keyTypes } from '@befaqt/provenance/log/note'
import { type Policy, parsePolicy } from '@befaqt/provenance/log/policy'
import { MAX_POLICY_BYTES, Refusal } from './bring.ts'

/** A policy that counts for the next checks, and who chose it. */
export interface ChosenPolicy {
  readonly policy: Policy
  /** In a sentence: 'the file x.txt'. */
  readonly from: string
  /** Host that served it beside this checker; null where the visitor brought it. */
  readonly servedBy: string | null
}

/** @throws Refusal that names the line */
export function readPolicy(bytes: Uint8Array, from: string, servedBy: string | null): ChosenPolicy {
  if (bytes.length > MAX_POLICY_BYTES) throw new Refusal(`${from} is too large to be a policy.`)
  try {
    return { policy: parsePolicy(bytes), from, servedBy }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const line = /^\$\[(\d+)\]$/.exec(error.path)?.[1]
    throw new Refusal(
      line === undefined
        ? `${from} is no policy: it ${error.reason}.`
        : `${from} is no policy: line ${Number(line) + 1} ${error.reason}.`,
    )
  }
}

/** Is it the shop's own, who could name witnesses as it likes? Source: witness.md, Whose policy. */
export const isOfShop = ({ servedBy }: ChosenPolicy, shop: readonly string[]): boolean =>
  servedBy !== null &&
  shop.map(hostOf).some((host) => isSameHost(servedBy, host) || (isLoopback(servedBy) && isLoopback(host)))

/** Logs and witnesses of a policy, in words. */
export function policyWords({ policy: { logs, witnesses, groups, quorum } }: ChosenPolicy): string[] {
  const group = quorum === null ? undefined : groups.get(quorum)
  const members = quorum === null ? [] : (group?.members ?? [quorum])
  const asks =
    quorum === null
      ? 'It asks for no witness.'
      : `It asks for ${group?.k ?? 1} of ${members.length}: ${members.join(', ')}.`
  const unread = [...witnesses].filter(([, { key }]) => key.type === keyTypes.mlDsa44Cosigner)
  return [
    `Logs: ${logs.map(({ key }) => key.name).join(', ') || 'none'}.`,
    asks,
    ...(unread.length === 0
      ? []
      : [
          `No browser can check keys of ML-DSA-44, so these count for nothing here: ${unread.map(([name]) => name).join(', ')}.`,
        ]),
  ]
}

/** Can this browser check signatures at all? Needs a new one, and a page by https, from a file or from this machine. */
export async function canCheckSignatures(): Promise<boolean> {
  try {
    await crypto.subtle.importKey('raw', new Uint8Array(32), 'Ed25519', false, ['verify'])
    return true
  } catch {
    return false
  }
}
