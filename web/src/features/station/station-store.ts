import type { Kind } from './station-form.ts'

/** What a station's browser remembers: its key, where it is, and by kind of result who or what assesses. */
type Remembered = Record<'key' | Kind | 'latitude' | 'longitude', string>

const NAME = 'befaqt station 1'
const NOTHING: Remembered = { key: '', image: '', enose: '', latitude: '', longitude: '' }

/** What this browser remembers; nothing where it refuses to. */
export function remembered(): Remembered {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(NAME) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return NOTHING
    const texts = Object.entries(kept).filter(([, value]) => typeof value === 'string')
    return { ...NOTHING, ...Object.fromEntries(texts) }
  } catch {
    return NOTHING
  }
}

/** Remembers some of it anew. */
export function remember(some: Partial<Remembered>): void {
  try {
    window.localStorage.setItem(NAME, JSON.stringify({ ...remembered(), ...some }))
  } catch {
    // It is asked for again next time.
  }
}

/** As a call needs it; without a key the session of the manager who is logged in counts. */
export const withKey = (key: string) => (key === '' ? {} : { headers: { authorization: `Bearer ${key}` } })
