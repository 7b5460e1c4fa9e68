import { ChainUnreachable, type JsonRpc } from './port.ts'

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
