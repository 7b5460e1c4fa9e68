import { ShopError } from '@befaqt/domain/errors'
import { fewAtOnce } from './few-at-once.ts'
import { PictureProcess } from './picture-process.ts'
import type { KeptPicture, Pictures } from './port.ts'

type Log = { error(details: object, message: string): void }

/** One decoded picture may take 200 MB, so two at once are all that memory is asked for, whoever uploads. */
const AT_ONCE = 2
/** Copies are made behind everything that somebody waits for: this system priority takes what processor is left. */
const NICE = 10
/** A process that has done nothing for so long is ended. */
const REST_MS = 10_000
/** The decoder gives up by itself before (`encode.ts`); a process that takes longer is stuck. */
const LIMIT_MS = 40_000

/** Works on pictures in processes of their own: one for people who wait, one for copies that nobody waits for. */
export function childPictures(log: Log, limitMs = LIMIT_MS): Pictures {
  const prompt = new PictureProcess({ nice: 0, restMs: REST_MS, limitMs })
  const unhurried = new PictureProcess({ nice: NICE, restMs: REST_MS, limitMs })
  const inTurn = fewAtOnce(AT_ONCE)
  return {
    take: (path) =>
      inTurn(() => prompt.do({ kind: 'take', path })).catch((err: unknown) => {
        log.error({ err }, 'an uploaded picture could not be worked on')
        throw new ShopError('unavailable', 'The picture could not be read just now. Please try again.')
      }) as Promise<KeptPicture | string>,
    narrow: (bytes, width, format) =>
      unhurried.do({ kind: 'narrow', bytes, width, format }) as Promise<Uint8Array>,
    figures: () => ({
      stuck: prompt.stuck + unhurried.stuck,
      inHand: prompt.inHand + unhurried.inHand,
    }),
    close: async () => void (await Promise.all([prompt.close(), unhurried.close()])),
  }
}
