import { createHash } from 'node:crypto'
import type { BrowserContextOptions } from 'playwright-core'

/** What a visitor's browser and network are like while a journey runs. */
export type Conditions = {
  timezoneId: string
  reducedMotion: 'reduce' | 'no-preference'
  network: 'fast' | 'slow'
}

/** Sydney is the market's time zone. */
export const conditions = {
  plain: { timezoneId: 'Australia/Sydney', reducedMotion: 'reduce', network: 'fast' },
  motion: { timezoneId: 'America/New_York', reducedMotion: 'no-preference', network: 'fast' },
  slow: { timezoneId: 'Asia/Tokyo', reducedMotion: 'reduce', network: 'slow' },
  'slow-motion': { timezoneId: 'Europe/Athens', reducedMotion: 'no-preference', network: 'slow' },
} as const satisfies Record<string, Conditions>

export type ConditionsName = keyof typeof conditions

const names = Object.keys(conditions) as ConditionsName[]

/**
 * The conditions of a journey: those that `JOURNEY_CONDITIONS` names, else by a hash of the journey's name, so that
 * together the journeys run in all of them and each runs in the same ones every time.
 * @param args the command line of the test's process, which has the journey's file
 */
export function chooseConditions(args: readonly string[], wanted?: string): ConditionsName {
  if (wanted) {
    const name = names.find((one) => one === wanted)
    if (name === undefined) throw new Error(`JOURNEY_CONDITIONS is ${wanted}; there are ${names.join(', ')}.`)
    return name
  }
  const journey = args.map((arg) => /([^/\\]+)\.e2e\.ts$/.exec(arg)?.[1]).find((found) => found !== undefined)
  if (journey === undefined) return 'plain'
  const [byte = 0] = createHash('sha256').update(journey).digest()
  return names[byte % names.length] ?? 'plain'
}

const chosen = chooseConditions(process.argv, process.env.JOURNEY_CONDITIONS)

process.on('exit', (status) => {
  if (status !== 0)
    process.stderr.write(
      `The journey ran with JOURNEY_CONDITIONS=${chosen}: ${JSON.stringify(conditions[chosen])}\n`,
    )
})

/** Conditions and settings of one visit; what is left out is as the journey's conditions say. */
export type VisitOptions = BrowserContextOptions & { network?: Conditions['network'] }

/** Adds the journey's conditions to the options of one visit. */
export const withConditions = (options: VisitOptions): VisitOptions => ({
  ...conditions[chosen],
  ...options,
})
