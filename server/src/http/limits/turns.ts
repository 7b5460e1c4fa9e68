/** Runs work for somebody, when it is their turn. */
export type Turns = <Made>(who: string, work: () => Promise<Made> | Made) => Promise<Made>

/** `since`: when the work began, in milliseconds of `performance.now()`. */
type Place = { since: number }
type Line = { running: Set<Place>; waiting: ((place: Place) => void)[] }

/** How much of one's work goes on at the same time, how much may wait, and after how long work holds no place. */
export type TurnLimits = { atOnce: number; maxWaiting: number; placeMs: number }

/**
 * Lets some of each one's work go on at the same time; more waits, first come first served. One who asks for much
 * waits longer and nobody else does. Work that never ends loses its place.
 * @param refuse makes the error for work that may not even wait
 */
export function turns({ atOnce, maxWaiting, placeMs }: TurnLimits, refuse: () => Error): Turns {
  const lines = new Map<string, Line>()
  return async (who, work) => {
    const line = lines.get(who) ?? { running: new Set(), waiting: [] }
    lines.set(who, line)
    if (line.running.size >= atOnce) freePlaces(line, performance.now() - placeMs)
    if (line.running.size >= atOnce && line.waiting.length >= maxWaiting) throw refuse()
    const place = line.running.size < atOnce ? begin(line) : await inLine(line)
    try {
      return await work()
    } finally {
      if (line.running.delete(place)) handOn(line)
      if (line.running.size === 0 && lines.get(who) === line) lines.delete(who)
    }
  }
}

const inLine = (line: Line): Promise<Place> => new Promise((go) => line.waiting.push(go))

function begin(line: Line): Place {
  const place = { since: performance.now() }
  line.running.add(place)
  return place
}

/** Gives a place that became free to who waits longest. */
function handOn(line: Line): void {
  const go = line.waiting.shift()
  if (go !== undefined) go(begin(line))
}

/** Takes their places from those that began before `before`. */
function freePlaces(line: Line, before: number): void {
  for (const place of line.running) {
    if (place.since > before) return
    line.running.delete(place)
    handOn(line)
  }
}
