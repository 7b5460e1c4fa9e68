import { FormatError, LedgerError, type LedgerReader } from '@befaqt/provenance'
import { type Asked, askedOf, withWitnesses } from '@befaqt/provenance/asked'
import { type ProofBundle, parseAbsenceText, parseBundleText } from '@befaqt/provenance/bundle'
import { parseJsonText } from '@befaqt/provenance/canonical'
import { agreeingLedger } from '@befaqt/provenance/ledger'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import type { BoxResult } from '@befaqt/provenance/verdict'
import { verifyAbsence, verifyBundle } from '@befaqt/provenance/verify'
import type { Brought } from './bring.ts'
import { type ChosenPolicy, canCheckSignatures, isOfShop } from './policy.ts'

/** What is to be checked, and by whom. */
export interface Order {
  readonly proof: Brought
  /** The box that was asked for; null: whichever the file is of. */
  readonly boxID: string | null
  /** Nodes that the visitor typed. */
  readonly nodes: readonly string[]
  readonly policy: ChosenPolicy | null
  /** Of record times without an offset. */
  readonly timeZone: string
}

/** What came of it. */
export interface Found {
  readonly order: Order
  readonly result: BoxResult
  /** Null where it could not be read, or says that there is no box. */
  readonly bundle: ProofBundle | null
  readonly asked: Asked
  /** Nobody was asked for the ledger: the visitor named no node, and the one that the proof names is not the shop's that was asked. */
  readonly askedNobody: boolean
  /** The node that the proof names; null where it could not be read. */
  readonly namedNode: string | null
  /** Whose policy it was judged by. `unusable`: this browser can't check signatures. */
  readonly policyIs: 'none' | 'chosen' | 'shops' | 'unusable'
}

/** Checks a proof. Whatever it is, there is an answer. */
export async function check(order: Order): Promise<Found> {
  const { proof, nodes, policy, timeZone, boxID } = order
  const value = jsonOf(proof.text)
  const isAbsence = typeof value === 'object' && value !== null && Object.hasOwn(value, 'anchor')
  const read = isAbsence ? readOr(parseAbsenceText, proof.text) : undefined
  const bundle = isAbsence ? undefined : readOr(parseBundleText, proof.text)
  const ledger = (read ?? bundle)?.ledger
  const addresses = nodes.length > 0 ? nodes : ledger && isAtShop(ledger.rpc, proof.shop) ? [ledger.rpc] : []
  const reader =
    addresses.length === 0 || ledger === undefined
      ? NOBODY
      : agreeingLedger(addresses.map((url) => rpcLedger(url, callNode, { contract: ledger.contract })))
  const usable = policy !== null && (await canCheckSignatures())
  const terms = {
    timeZone,
    policy: usable ? policy.policy : undefined,
    ...(boxID !== null && { box: boxID }),
  }
  const result = isAbsence
    ? await verifyAbsence(value, reader, boxID ?? undefined)
    : await verifyBundle(value, reader, terms)
  const shop = [proof.shop, ledger?.rpc, result.log?.origin].filter((address) => address != null)
  const isShops = policy !== null && isOfShop(policy, shop)
  const own = await askedOf(reader, { read: addresses, isChosen: nodes.length > 0, shop })
  return {
    order,
    result,
    bundle: bundle ?? null,
    asked: isShops ? own : withWitnesses(own, result.log),
    askedNobody: addresses.length === 0,
    namedNode: ledger?.rpc ?? null,
    policyIs: policy === null ? 'none' : !usable ? 'unusable' : isShops ? 'shops' : 'chosen',
  }
}

const isAtShop = (rpc: string, shop: string | null): boolean =>
  shop !== null && URL.canParse(rpc) && new URL(rpc).origin === new URL(shop).origin

/** Calls go to the address that was named and to no other, and say nothing of the visitor. */
const callNode: Parameters<typeof rpcLedger>[1] = (url, init) =>
  fetch(url, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' })

function jsonOf(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}

function readOr<T>(read: (text: string) => T, text: string): T | undefined {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

const nobody = (): Promise<never> => Promise.reject(new LedgerError('no node was asked'))

/** Where no node may be asked. */
const NOBODY: LedgerReader = {
  live: true,
  identity: nobody,
  count: nobody,
  anchorsOf: nobody,
  eventsOf: nobody,
}
