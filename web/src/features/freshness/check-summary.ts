import { urlOf } from '@befaqt/domain/api/endpoint'
import { readSummary } from '@befaqt/domain/api/endpoints/boxes'
import type { Policy } from '@befaqt/provenance/log/policy'
import { MAX_SUMMARY_BYTES } from '@befaqt/provenance/summary'
import { type SummaryResult, type SummaryTerms, verifySummary } from '@befaqt/provenance/verify-summary'

/** What to check, and what this browser keeps: the text of its visitor's policy, and what it verified of the box before. */
export type SummaryOrder = { boxID: string; policy: string | null; seen: SummaryTerms['seen'] }

/** `none`: the shop gives no summary of the box. `unreached`: nothing that is an answer of the shop came. */
export type SummaryFound =
  | { kind: 'checked'; result: SummaryResult }
  | { kind: 'none' }
  | { kind: 'unreached' }

const TIMEOUT_MS = 15_000

/** Fetches the summary of a box and checks it. Never rejects. */
export async function checkSummary(
  { boxID, policy, seen }: SummaryOrder,
  get: typeof fetch,
): Promise<SummaryFound> {
  try {
    const answer = await get(urlOf(readSummary, { params: { boxID } }), {
      cache: 'no-cache',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    if (!isJson || answer.status !== 200 || answer.body === null) return { kind: 'unreached' }
    const text = await startOf(answer.body)
    if (saysNone(text)) return { kind: 'none' }
    const result = await verifySummary(text, { box: boxID, policy: await readPolicy(policy), seen })
    return { kind: 'checked', result }
  } catch {
    return { kind: 'unreached' }
  }
}

/** Does the shop say why there is no summary? */
function saysNone(text: string): boolean {
  try {
    const { none, ...rest }: Record<string, unknown> = JSON.parse(text)
    return typeof none === 'string' && Object.keys(rest).join() === 'v,box'
  } catch {
    return false
  }
}

/** A text as far as a summary can go, and a little: what is longer is none, and is not fetched to its end. */
async function startOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  for (let bytes = 0; bytes <= MAX_SUMMARY_BYTES; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    text += decoder.decode(value, { stream: true })
  }
  void reader.cancel()
  return text
}

/** The visitor's policy; undefined where there is none, or none that can be read: then nobody is asked by it. */
async function readPolicy(text: string | null): Promise<Policy | undefined> {
  if (text === null) return undefined
  const { parsePolicy } = await import('@befaqt/provenance/log/policy')
  try {
    return parsePolicy(new TextEncoder().encode(text))
  } catch {
    return undefined
  }
}
