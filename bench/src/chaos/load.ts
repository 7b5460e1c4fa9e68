import { setTimeout as wait } from 'node:timers/promises'
import { readingOf } from '../boxes.ts'

/** Requests of visitors, and those without status 200. */
export type Seen = { asked: number; failed: string[] }

/** Continuous load: readings from devices and page requests of visitors. */
export type Load = {
  /** Ids of readings that the shop acknowledged, by box. */
  readonly acknowledged: ReadonlyMap<string, Set<string>>
  /** What visitors see from now on. */
  watch(): Seen
  /** Stops it; readings in flight are sent until they are acknowledged, unless `abandon` is set. */
  stop(how?: { abandon: boolean }): Promise<void>
}

const LANES = 3
const TIMEOUT_MS = 20_000

/**
 * Starts it against `url`; every device retries until its reading is acknowledged.
 * @param pauseMs of each device and visitor between two requests
 */
export function startLoad(url: string, key: string, boxes: readonly string[], pauseMs: number): Load {
  const acknowledged = new Map(boxes.map((box) => [box, new Set<string>()]))
  let running = true
  let abandoned = false
  let seen: Seen = { asked: 0, failed: [] }
  let number = 0

  const device = async (lane: number): Promise<void> => {
    while (running) {
      const box = boxes[number % boxes.length] ?? ''
      const id = `${lane}-${++number}`
      const body = JSON.stringify({ readings: [{ ...readingOf(number), box, id }] })
      while (!(await isStored(url, key, body))) {
        if (abandoned) return
        await wait(200)
      }
      acknowledged.get(box)?.add(id)
      await wait(pauseMs)
    }
  }
  const visitor = async (): Promise<void> => {
    for (let i = 0; running; i++) {
      const path =
        ['/', '/api/product/active', `/SFMBox/byId/${boxes[i % boxes.length]}`, '/category'][i % 4] ?? '/'
      const status = await statusOf(url + path)
      seen.asked++
      if (status !== '200') seen.failed.push(`${path}: ${status}`)
      await wait(pauseMs)
    }
  }
  const all = [...Array.from({ length: LANES }, (_, lane) => device(lane)), visitor(), visitor()]
  const ended = Promise.all(all)
  ended.catch(() => undefined) // reported by `stop`
  return {
    acknowledged,
    watch: () => {
      seen = { asked: 0, failed: [] }
      return seen
    },
    stop: async ({ abandon } = { abandon: false }) => {
      running = false
      abandoned = abandon
      await ended
    },
  }
}

/** @throws when the shop rejects the reading, which a retry can't fix */
async function isStored(url: string, key: string, body: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  try {
    const answer = await fetch(`${url}/api/tracking`, {
      ...{ method: 'POST', headers, body },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (answer.status !== 200) return await answer.text().then(() => false)
    const { refused } = (await answer.json()) as { refused: unknown[] }
    if (refused.length > 0) throw new Refused(JSON.stringify(refused))
    return true
  } catch (error) {
    if (error instanceof Refused) throw error
    return false
  }
}

class Refused extends Error {}

async function statusOf(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await answer.arrayBuffer()
    return String(answer.status)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
