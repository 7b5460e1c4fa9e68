/**
 * Proofs are verified in a thread of their own, while the next ones are made in the program's: to make one takes as long as
 * to verify it. This module is both sides: what asks, and, in the thread, what answers.
 */

import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Fetch } from '@befaqt/provenance/json-rpc'
import { LedgerMemory, rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import type { Chain } from '#server/chain/port.ts'
import { fetchFrom } from '#server/chain/verifier-ledger.ts'
import { reasonOf } from './finding.ts'

/** The ledger: its contract, and the node to ask. Undefined: the chain that the program has open is asked through it. */
type Place = { contract: string; node: string | undefined }

type Said = { verdict: string; words: string }

/** What the sides send each other: proofs to verify and verdicts, requests to the chain and answers. */
type ToThread =
  | { id: number; bundle: string }
  | { id: number; answer: string }
  | { id: number; failed: string }
type FromThread = ({ id: number } & Said) | { id: number; request: string }

/**
 * What a stranger's verifier says of proofs, as JSON text. One that can't be read is `unproven`. Use with `await using`.
 * @param chain where no node is named
 */
export function verifierApart(place: Place, chain: Pick<Chain, 'rpc'>) {
  const thread = new Worker(new URL(import.meta.url), { workerData: place })
  const waiting = new Map<number, PromiseWithResolvers<Said>>()
  let asked = 0
  const send = (message: ToThread): void => thread.postMessage(message)
  const answer = async (id: number, request: string): Promise<void> => {
    try {
      const response = await fetchFrom(chain)('', { body: request })
      send({ id, answer: await response.text() })
    } catch (error) {
      send({ id, failed: reasonOf(error) })
    }
  }
  thread.on('message', (message: FromThread) => {
    if ('request' in message) void answer(message.id, message.request)
    else {
      const { id, verdict, words } = message
      waiting.get(id)?.resolve({ verdict, words })
      waiting.delete(id)
    }
  })
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => undefined) // told to whoever waits for a verdict
  thread.on('error', ended.reject)
  thread.on('exit', () => ended.reject(new Error('the thread that verifies has ended')))
  return {
    /** @throws Error when the thread has ended, as for want of memory */
    verify: (bundle: string): Promise<Said> => {
      const id = asked++
      const said = Promise.withResolvers<Said>()
      waiting.set(id, said)
      send({ id, bundle })
      return Promise.race([said.promise, ended.promise])
    },
    [Symbol.asyncDispose]: async () => {
      await thread.terminate()
    },
  }
}

/** In the thread: verifies what comes, and asks the chain of the program through it. */
function answerTo(port: MessagePort, { contract, node }: Place): void {
  const requests = new Map<number, PromiseWithResolvers<Response>>()
  let asked = 0
  const throughProgram: Fetch = (_url, { body, signal }) => {
    const id = asked++
    const answered = Promise.withResolvers<Response>()
    requests.set(id, answered)
    signal.addEventListener('abort', () => answered.reject(signal.reason))
    port.postMessage({ id, request: body } satisfies FromThread)
    return answered.promise.finally(() => requests.delete(id))
  }
  const reader = rpcLedger(node ?? 'http://chain.invalid', node === undefined ? throughProgram : fetch, {
    contract,
    memory: new LedgerMemory(),
  })
  const verdictOf = async (bundle: string): Promise<Said> => {
    try {
      const { verdict, words } = await verifyBundle(JSON.parse(bundle), reader)
      return { verdict, words }
    } catch (error) {
      return { verdict: 'unproven', words: reasonOf(error) }
    }
  }
  port.on('message', async (message: ToThread) => {
    if ('bundle' in message)
      port.postMessage({ id: message.id, ...(await verdictOf(message.bundle)) } satisfies FromThread)
    else if ('answer' in message) requests.get(message.id)?.resolve(new Response(message.answer))
    else requests.get(message.id)?.reject(new Error(message.failed))
  })
}

if (!isMainThread && parentPort !== null) answerTo(parentPort, workerData)
