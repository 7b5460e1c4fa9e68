import { ChainUnreachable, type JsonRpc } from './port.ts'

/** Milliseconds that one call to a chain may take. */
export const CALL_TIMEOUT_MS = 10_000

/**
 * `rpc` whose calls reject with ChainUnreachable after `timeoutMs`. A call can't be cancelled: until one that ran out
 * of time has come back, further calls are rejected at once and do not queue up behind it.
 */
export function withTimeLimit(rpc: JsonRpc, timeoutMs = CALL_TIMEOUT_MS): JsonRpc {
  let overdue = 0
  return async (request) => {
    if (overdue > 0) throw new ChainUnreachable(new Error('an earlier call has not come back yet'))
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    let isOverdue = false
    const timer = setTimeout(() => {
      isOverdue = true
      overdue += 1
      reject(new ChainUnreachable(new Error(`${request.method} took longer than ${timeoutMs} ms`)))
    }, timeoutMs)
    const call = rpc(request).finally(() => {
      clearTimeout(timer)
      if (isOverdue) overdue -= 1
    })
    return Promise.race([call, timeout])
  }
}
