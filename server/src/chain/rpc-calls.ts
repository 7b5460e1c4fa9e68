import { ledgerAbi } from '@befaqt/contract/abi'
import {
  BaseError,
  ContractFunctionRevertedError,
  decodeErrorResult,
  type Hex,
  InternalRpcError,
  isHex,
  LimitExceededRpcError,
  RpcRequestError,
} from 'viem'
import { ChainUnreachable, type JsonRpc, TransactionRejected } from './port.ts'

/** Runs a read call; any error means that the chain is unreachable. */
export async function readCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw new ChainUnreachable(error)
  }
}

/** Runs a call that may be rejected: an error response is TransactionRejected, no response is ChainUnreachable. */
export async function sendCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isAnswer(error)) throw new ChainUnreachable(error)
    throw new TransactionRejected(revertReason(error) ?? error.shortMessage, error)
  }
}

/** Bytes of a revert, wherever the transport put them in the chain of causes. */
export function revertData(error: unknown): Hex | undefined {
  for (let e = error; e instanceof Error; e = e.cause) if ('data' in e && isHex(e.data)) return e.data
  return undefined
}

/** `NotAnchorer(0x…)`, for errors that the ledger knows. */
function revertReason(error: unknown): string | undefined {
  const data = revertData(error)
  if (data === undefined || data === '0x') return undefined
  try {
    const { errorName, args } = decodeErrorResult({ abi: ledgerAbi, data })
    return `${errorName}(${(args ?? []).join(', ')})`
  } catch {
    return undefined
  }
}

/** Did the contract revert with this custom error? */
export const isRevert = (error: unknown, name: string): boolean =>
  error instanceof BaseError &&
  error.walk((e) => e instanceof ContractFunctionRevertedError && e.data?.errorName === name) !== null

/** A JSON-RPC error is a response, unless it says that the node is broken or busy. */
export function isAnswer(error: unknown): error is BaseError {
  if (!(error instanceof BaseError)) return false
  const busy = error.walk((e) => e instanceof InternalRpcError || e instanceof LimitExceededRpcError)
  return busy === null && error.walk((e) => e instanceof RpcRequestError) !== null
}

/** Time limit of one call to a chain. */
export const CALL_TIMEOUT_MS = 10_000

/**
 * `rpc` whose calls reject with ChainUnreachable after `timeoutMs`. A call can't be cancelled: until one that timed out
 * has returned, further calls are rejected at once instead of queueing behind it.
 */
export function withTimeLimit(rpc: JsonRpc, timeoutMs = CALL_TIMEOUT_MS): JsonRpc {
  let overdue = 0
  return async (request) => {
    if (overdue > 0) throw new ChainUnreachable(new Error('an earlier call timed out and is still pending'))
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    let isOverdue = false
    const timer = setTimeout(() => {
      isOverdue = true
      overdue += 1
      reject(new ChainUnreachable(new Error(`${request.method}: timeout after ${timeoutMs} ms`)))
    }, timeoutMs)
    const call = rpc(request).finally(() => {
      clearTimeout(timer)
      if (isOverdue) overdue -= 1
    })
    return Promise.race([call, timeout])
  }
}
