import { useState } from 'react'

/** The first of values that are the same as JSON: what depends on it is not made again for an equal one. */
export function useSame<Value>(value: Value): Value {
  const [kept, setKept] = useState(value)
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept
  setKept(value)
  return value
}
