/** What was started, to be ended in the reverse order. */
export type Endings = {
  /** @param end undefined: it was not started */
  add(end: (() => Promise<unknown>) | undefined): void
  /** Ends everything once, the newest first. */
  stop(): Promise<void>
}

export function endings(): Endings {
  const ends: (() => Promise<unknown>)[] = []
  return {
    add: (end) => {
      if (end !== undefined) ends.push(end)
    },
    stop: async () => {
      for (const end of ends.splice(0).reverse()) await end()
    },
  }
}
