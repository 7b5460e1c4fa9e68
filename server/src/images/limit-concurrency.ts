/** Runs at most `limit` tasks at a time; the others wait, first in, first out. */
export function limitConcurrency(limit: number): <Made>(work: () => Promise<Made>) => Promise<Made> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= limit) await new Promise<void>((resume) => waiting.push(resume))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
