import { useEffect, useState } from 'react'
import { database, type Remembered } from './database.ts'

const NOTHING: Remembered = { boat: '', method: '', species: [], to: [] }

const readRemembered = async (userId: string): Promise<Remembered> =>
  (await (await database()).get('remembered', userId)) ?? NOTHING

/** What this phone remembers of a supplier's earlier entries; null until it is read, nothing where it can't be. */
export function useRemembered(userId: string): Remembered | null {
  const [remembered, setRemembered] = useState<Remembered | null>(null)
  useEffect(() => {
    void readRemembered(userId).then(setRemembered, () => setRemembered(NOTHING))
  }, [userId])
  return remembered
}

/** Remembers for the next entry; if that fails, this entry must not be lost. */
export async function remember(userId: string, news: Partial<Remembered>): Promise<void> {
  const before = await readRemembered(userId)
  await (await database()).put('remembered', { ...before, ...news }, userId).catch(() => undefined)
}
