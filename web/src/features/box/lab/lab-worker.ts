import { agreeingLedger } from '@befaqt/provenance/ledger'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { getBytes } from '../check/record-files.ts'
import { LabCopy, NotOpened } from './lab-box.ts'
import type { LabAnswer, LabQuestion } from './lab-types.ts'

/* A worker with the copy of one box on which a visitor tries attacks. Nothing of it ever leaves the browser. */

/** For a proof or a page to come: a line that is dead says nothing, and nobody waits for ever. */
const TIMEOUT_MS = 120_000

const reach = {
  get: async (path: string) => {
    const answer = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (answer.status >= 500) throw new Error(`${path} answered with status ${answer.status}`)
    return answer.ok ? answer.text() : undefined
  },
  bytes: getBytes,
  ledger: (nodes: readonly string[], contract: string) =>
    agreeingLedger(nodes.map((url) => rpcLedger(url, (address, init) => fetch(address, init), { contract }))),
  from: location.href,
  wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}

let copy: LabCopy | undefined

async function answerTo(question: LabQuestion): Promise<LabAnswer> {
  if (question.type === 'open') {
    copy = await LabCopy.take(question.order, reach)
    return { type: 'open', box: await copy.describe() }
  }
  if (copy === undefined) throw new NotOpened('There is no box on the bench.')
  const { moves } = question
  return { type: 'tried', moves, outcome: await copy.attempt(moves) }
}

const FAILED = 'The check itself failed. Reload the page and try again.'
const failed = (error: unknown): LabAnswer => ({
  type: 'failed',
  message: error instanceof NotOpened ? error.message : FAILED,
})

/** One question after the other: a later one never overtakes. */
let last = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<LabQuestion>) => {
  last = last.then(async () => postMessage(await answerTo(data).catch(failed)))
})
