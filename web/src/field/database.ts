import type { FieldOutcome, FieldUser } from '@befaqt/domain/api/field-api'
import type { FieldError } from '@befaqt/domain/errors'
import type { FieldCatch, FieldHandover, FieldTagReading } from '@befaqt/domain/field-entry'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** An entry as it is typed, before it is known when it is sent. */
export type Draft =
  | Omit<FieldCatch, 'sentAt'>
  | Omit<FieldHandover, 'sentAt'>
  | Omit<FieldTagReading, 'sentAt' | 'signed'>

/** What is typed of a draft. */
export type Typed = Draft extends infer Kind
  ? Kind extends Draft
    ? Omit<Kind, 'id' | 'madeBy' | 'madeAt'>
    : never
  : never

/** An entry on this phone. It stays until the shop has answered, whatever happens to the tab or the phone. */
export type QueuedEntry = {
  id: string
  /** The account that made it: only its session sends it. */
  owner: string
  entry: Draft
  photo: Blob | null
  state: 'waiting' | 'refused' | 'sent'
  attempts: number
  /** Not sent before, in milliseconds since 1970 by this phone. */
  nextAt: number
  /** Why it was refused, or was not taken last time. */
  problem: string | null
  fields: readonly FieldError[]
  outcome: FieldOutcome | null
}

/** What is remembered of one account for the next entry. */
export type Remembered = { boat: string; method: string; species: string[]; to: string[] }

interface FieldSchema extends DBSchema {
  entries: { key: string; value: QueuedEntry }
  users: { key: 'current'; value: FieldUser }
  remembered: { key: string; value: Remembered }
}

const blockedListeners = new Set<() => void>()

/** Tells when opening the database waits for another tab of these pages, one that does not let go by itself. */
export function watchBlocked(listener: () => void): () => void {
  blockedListeners.add(listener)
  return () => blockedListeners.delete(listener)
}

let opened: Promise<IDBPDatabase<FieldSchema>> | undefined

/** The phone's database. One that could not be opened is opened anew the next time. */
export function database(): Promise<IDBPDatabase<FieldSchema>> {
  opened ??= openDB<FieldSchema>('befaqt-field', 1, {
    upgrade(db) {
      db.createObjectStore('entries', { keyPath: 'id' })
      db.createObjectStore('users')
      db.createObjectStore('remembered')
    },
    terminated: () => {
      opened = undefined
    },
    /** A tab of newer pages waits for this one to let go; what is read here next says so. */
    blocking: (_from, _to, event) => {
      opened = undefined
      if (event.target instanceof IDBDatabase) event.target.close()
    },
    blocked: () => {
      for (const tell of blockedListeners) tell()
    },
  })
  return opened.catch((error: unknown) => {
    opened = undefined
    throw error
  })
}

const channel = new BroadcastChannel('befaqt-field')
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}
channel.addEventListener('message', tell)

/** Says to this tab and all others that the queue or the user is another now. */
export function changed(): void {
  tell()
  channel.postMessage('changed')
}

export function watchChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
