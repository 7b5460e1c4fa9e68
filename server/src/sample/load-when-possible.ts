import { setTimeout as wait } from 'node:timers/promises'
import { ShopError } from '@befaqt/domain/errors'
import { loadSample, type SampleDeps } from './load-sample.ts'

const AGAIN_AFTER_MS = 5_000

/**
 * Loads the sample data; while the file store is unavailable, retries in the background.
 * @returns a function that stops it
 */
export async function loadSampleWhenPossible(
  deps: SampleDeps,
  againAfterMs = AGAIN_AFTER_MS,
): Promise<() => Promise<void>> {
  const ended = new AbortController()
  if (await isLoaded(deps)) return async () => undefined
  deps.log.warn({}, 'file store unavailable; retrying to load the sample data')
  const retry = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await wait(againAfterMs, undefined, { signal: ended.signal }).catch(() => undefined)
      if (ended.signal.aborted || (await isLoaded(deps))) return
    }
  }
  const retrying = retry().catch((err: unknown) => deps.log.error({ err }, 'loading the sample data failed'))
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
