import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

/** Which reading is marked on the map, in the charts and in the table at once; null for none. */
type Marked = { marked: number | null; mark: (index: number | null) => void }

const MarkedReading = createContext<Marked>({ marked: null, mark: () => undefined })

/** Around everything that shows readings: what is pointed at in one place is marked in all. */
export function MarkedReadingProvider({ children }: { children: ReactNode }) {
  const [marked, mark] = useState<number | null>(null)
  const value = useMemo(() => ({ marked, mark }), [marked])
  return <MarkedReading value={value}>{children}</MarkedReading>
}

/** The marked reading by its index, and how to mark another. */
export const useMarkedReading = (): Marked => useContext(MarkedReading)
