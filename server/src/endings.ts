/** What was started, to be ended in the reverse order. */
export type Endings = {
  add(end: () => Promise<unknown>): void
  /** Ends everything once, the newest first. */
  stop(): Promise<void>
}

export function endings(): Endings {
  const ends: (() => Promise<unknown>)[] = []
  return {
    add: (end) => void ends.push(end),
    stop: async () => {
      for (const end of ends.splice(0).reverse()) await end()
    },
  }
}
