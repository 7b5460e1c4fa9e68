import { setTimeout as wait } from 'node:timers/promises'
import { ShopError } from '@befaqt/domain/errors'
import { loadSample, type SampleDeps } from './load-sample.ts'

const AGAIN_AFTER_MS = 5_000

/**
 * Loads the sample; while the file store is not there, tries again behind everything else.
 * @returns how to end it
 */
export async function loadSampleWhenPossible(
  deps: SampleDeps,
  againAfterMs = AGAIN_AFTER_MS,
): Promise<() => Promise<void>> {
  const ended = new AbortController()
  if (await isLoaded(deps)) return async () => undefined
  deps.log.warn({}, 'the sample shop is loaded when the file store is there')
  const retry = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await wait(againAfterMs, undefined, { signal: ended.signal }).catch(() => undefined)
      if (ended.signal.aborted || (await isLoaded(deps))) return
    }
  }
  const retrying = retry().catch((err: unknown) =>
    deps.log.error({ err }, 'the sample shop could not be loaded'),
  )
  return async () => {
    ended.abort()
    await retrying
  }
}

const isLoaded = (deps: SampleDeps): Promise<boolean> =>
  loadSample(deps).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ShopError && error.code === 'unavailable') return false
      throw error
    },
  )
