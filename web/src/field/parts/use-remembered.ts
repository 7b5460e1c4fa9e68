import { useEffect, useState } from 'react'
import type { Remembered } from '../queue/database.ts'
import { readRemembered } from '../queue/user.ts'

const NOTHING: Remembered = { boat: '', method: '', species: [], to: [] }

/** What this phone remembers of a supplier's earlier entries; null until it is read, nothing where it can't be. */
export function useRemembered(userId: string): Remembered | null {
  const [remembered, setRemembered] = useState<Remembered | null>(null)
  useEffect(() => {
    void readRemembered(userId).then(setRemembered, () => setRemembered(NOTHING))
  }, [userId])
  return remembered
}
