import type { Digest } from '@befaqt/provenance'
import {
  attestationsIn,
  MAX_ANSWER,
  type OtsProof,
  otsFile,
  parseCalendarAnswer,
  parseOts,
  together,
  upgraded,
} from '@befaqt/provenance/evidence/ots'
import { type Answer, ask } from '@befaqt/provenance/log/ask'
import { NotStamped, wordsOf } from './ask-authority.ts'

/*
 * Calendars of OpenTimestamps promise that a hash will be in a Bitcoin block, and show the way to it once it is. Nobody but
 * those that the operator names is asked, whatever a promise says.
 */

/** Which calendars, and in which terms. */
export type CalendarTerms = { urls: readonly string[]; timeoutMs: number; signal: AbortSignal }

const ACCEPT = { accept: 'application/vnd.opentimestamps.v1' }

async function answered(
  url: string,
  { timeoutMs, signal }: CalendarTerms,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const sent =
    body === undefined
      ? { headers: ACCEPT }
      : { body, headers: { ...ACCEPT, 'content-type': 'application/x-www-form-urlencoded' } }
  return ask(url, { ...sent, maxBytes: MAX_ANSWER, timeoutMs, signal })
}

/** What calendars promise of a hash. @returns the proof, where one did, and why others did not */
export async function promisesOf(
  digest: Digest,
  terms: CalendarTerms,
): Promise<{ ots: Uint8Array | undefined; faults: string[] }> {
  const all = await Promise.all(
    terms.urls.map(async (url) => {
      try {
        return await promiseOf(digest, url, terms)
      } catch (error) {
        terms.signal.throwIfAborted()
        return `${new URL(url).host}: ${wordsOf(error)}`
      }
    }),
  )
  const [first, ...more] = all.filter((one) => typeof one !== 'string')
  return {
    ots: first && otsFile(together(first, ...more)),
    faults: all.filter((one) => typeof one === 'string'),
  }
}

async function promiseOf(digest: Digest, url: string, terms: CalendarTerms): Promise<OtsProof> {
  const answer = await answered(`${url}/digest`, terms, Uint8Array.from(digest))
  if (answer.status !== 200) throw new NotStamped(`It answers with status ${answer.status}.`)
  const proof = parseCalendarAnswer(answer.body, digest)
  for (const { attestation } of attestationsIn(proof)) {
    if (attestation.kind !== 'pending') continue
    if (withoutSlash(attestation.uri) === url) return proof
    throw new NotStamped(`It promises in the name of ${attestation.uri}: set that address.`)
  }
  throw new NotStamped('It promises nothing.')
}

const withoutSlash = (url: string): string => url.replace(/\/{1,20}$/, '')

/** A proof with what calendars say by now, and whether a Bitcoin block attests it; `faults`: why one said nothing. */
export async function renewed(file: Uint8Array, terms: CalendarTerms) {
  let proof = parseOts(file)
  const faults: string[] = []
  for (const { message, attestation } of attestationsIn(proof)) {
    if (attestation.kind !== 'pending') continue
    const { uri } = attestation
    const url = withoutSlash(uri)
    if (!terms.urls.includes(url)) continue
    try {
      const now = await nowOf(url, message, terms)
      if (now !== undefined) proof = upgraded(proof, uri, now)
    } catch (error) {
      terms.signal.throwIfAborted()
      faults.push(`${new URL(url).host}: ${wordsOf(error)}`)
    }
  }
  const isComplete = attestationsIn(proof).some(({ attestation }) => attestation.kind === 'bitcoin')
  return { ots: otsFile(proof), isComplete, faults }
}

/** The way from what was promised to a block; undefined: there is none yet. */
async function nowOf(url: string, message: Uint8Array, terms: CalendarTerms): Promise<OtsProof | undefined> {
  const answer = await answered(`${url}/timestamp/${Buffer.from(message).toString('hex')}`, terms)
  if (answer.status === 404) return undefined
  if (answer.status !== 200) throw new NotStamped(`It answers with status ${answer.status}.`)
  const proof = parseCalendarAnswer(answer.body, message)
  return attestationsIn(proof).some(({ attestation }) => attestation.kind === 'bitcoin') ? proof : undefined
}
