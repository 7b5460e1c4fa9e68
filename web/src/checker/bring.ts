import { urlOf } from '@befaqt/domain/api/endpoint'
import { readAbsence, readProof } from '@befaqt/domain/api/endpoints/boxes'
import { hostOf, isLoopback } from '@befaqt/provenance/asked'
import { boxNumber } from '#web/features/box/find/box-number.ts'

/* How proofs and policies come in: bounded, without credentials, and from nowhere but where the visitor points. */

/** Larger proofs are refused: checking one would only freeze the page. */
export const MAX_PROOF_BYTES = 32 * 1024 * 1024
/** As the format allows. */
export const MAX_POLICY_BYTES = 262_144
/** For an answer to be there whole. */
const TIMEOUT_MS = 60_000

/** Something that could not be brought in, in words for the visitor. */
export class Refusal extends Error {}

/** A proof as text, and where it came from. */
export interface Brought {
  readonly text: string
  /** In a sentence: 'the file x.json', 'https://fish.example'. */
  readonly from: string
  /** Address of the shop that was asked; null for a file. */
  readonly shop: string | null
}

/** @throws Refusal */
export async function proofOfFile(file: File): Promise<Brought> {
  if (file.size > MAX_PROOF_BYTES)
    throw new Refusal(`This file is over ${mib(MAX_PROOF_BYTES)}: too large to be checked here.`)
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Refusal('This file could not be read.')
  })
  return { text: decoded(new Uint8Array(bytes), 'This file'), from: `the file ${file.name}`, shop: null }
}

/** The proof of a box, with its log, or that the shop never recorded one. @throws Refusal */
export async function proofOfShop(shop: string, boxID: string): Promise<Brought> {
  const params = { boxID }
  const bytes =
    (await fetched(shop + urlOf(readProof, { params, query: { log: '1', scales: '1' } }), MAX_PROOF_BYTES)) ??
    (await fetched(shop + urlOf(readAbsence, { params }), MAX_PROOF_BYTES))
  if (bytes === undefined)
    throw new Refusal(`${shop} has no proof of box ${boxID}, nor one that it was never recorded.`)
  return { text: decoded(bytes, 'What the shop sent'), from: shop, shop }
}

/** The address of a shop as typed, without a path; plain http only of this very machine. @throws Refusal */
export function shopAddress(typed: string): string {
  return addressOf(typed, 'the shop, as fish.example').origin
}

/** The address of a node as typed. @throws Refusal */
export const nodeAddress = (typed: string): string => addressOf(typed, 'a node, as https://node.example').href

/**
 * Where a log is read: at its own address as typed, below the address of a shop, or else where its name says.
 * @throws Refusal
 */
export function logAddress(typed: string, origin: string): string {
  const [host = ''] = origin.split('/')
  const scheme = host === location.host ? location.protocol : isLoopback(hostOf(host)) ? 'http:' : 'https:'
  const named = `${scheme}//${origin}`
  const url = addressOf(typed.trim() === '' ? named : typed, 'the log, as fish.example')
  const path = url.pathname === '/' ? origin.slice(host.length) : url.pathname
  return `${url.origin}${path}`.replace(/\/{1,20}$/, '')
}

function addressOf(typed: string, what: string): URL {
  const text = typed.trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  const isHere = url !== undefined && /^(localhost|127\.0\.0\.1)$/.test(hostOf(url.href))
  const isUsable =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && (isHere || url.origin === location.origin))
  if (url === undefined || text === '' || !isUsable || url.username !== '')
    throw new Refusal(`Name the https address of ${what}.`)
  return url
}

/** What a label's code, or a typed text, says of a box: its number and, where it is an address, the shop. */
export function boxOf(text: string): { boxID: string; shop: string | null } | null {
  const boxID = boxNumber(text)
  if (boxID === null) return null
  return { boxID, shop: URL.canParse(text) && /^https?:/i.test(text) ? new URL(text).origin : null }
}

/**
 * The bytes at an address; undefined: there is nothing. It never follows to another address than the one that was named.
 * @throws Refusal
 */
export async function fetched(url: string, most: number): Promise<Uint8Array | undefined> {
  const host = new URL(url).host
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(url, {
    signal,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    redirect: 'error',
  }).catch(() => {
    throw new Refusal(`${host} could not be read: it does not answer, or not to other pages.`)
  })
  if (answer.status === 404) return undefined
  if (!answer.ok) throw new Refusal(`${host} answered with status ${answer.status}.`)
  return collected(answer, most, host)
}

async function collected(answer: Response, most: number, host: string): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    const reader = answer.body?.getReader()
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      size += part.value.byteLength
      if (size > most) await reader?.cancel()
      if (size > most) break
      parts.push(part.value)
    }
  } catch {
    throw new Refusal(`${host} did not send it whole.`)
  }
  if (size > most) throw new Refusal(`What ${host} sends is over ${mib(most)}: too large to be checked here.`)
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

function decoded(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal(`${what} is not UTF-8 text, so it is no proof.`)
  }
}

const mib = (bytes: number): string => `${bytes / 1024 / 1024} MB`
