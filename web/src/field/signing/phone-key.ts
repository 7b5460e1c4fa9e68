import type { FieldUser } from '@befaqt/domain/api/field-api'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { useEffect, useState } from 'react'
import { changed, watchChanges } from '../database.ts'
import { type Signing, signingOf } from './signing.ts'

/** The key with which this phone signs for one account. The private half can't be read, by this page neither. */
export type PhoneKey = {
  userId: string
  /** Id of the key, and its public half in hex. */
  id: string
  publicKey: string
  privateKey: CryptoKey
  /** The last counter that may have been sent. */
  counter: number
  /** Of the link by which it is to be registered. */
  token: string
  /** Why the shop did not register it; null: it did, or was not reached yet. */
  problem: string | null
}

interface KeySchema extends DBSchema {
  keys: { key: string; value: PhoneKey }
}

let opened: Promise<IDBPDatabase<KeySchema>> | undefined

/** A database beside the queue's, which pages of an older version may hold open. */
function database(): Promise<IDBPDatabase<KeySchema>> {
  opened ??= openDB<KeySchema>('befaqt-field-key', 1, {
    upgrade: (db) => void db.createObjectStore('keys', { keyPath: 'userId' }),
    terminated: () => {
      opened = undefined
    },
  })
  return opened.catch((error: unknown) => {
    opened = undefined
    throw error
  })
}

export const readKey = async (userId: string): Promise<PhoneKey | undefined> =>
  (await database()).get('keys', userId)

/** Keeps a key in place of the account's former one. */
export async function keepKey(key: PhoneKey): Promise<void> {
  await update(key.userId, () => key)
  changed()
}

/** Notes why the shop did not register the account's key, unless it has another one by now. */
export async function noteRejection({ userId, id }: PhoneKey, problem: string): Promise<void> {
  await update(userId, (kept) => kept && { ...kept, problem: kept.id === id ? problem : kept.problem })
  changed()
}

/**
 * A counter that was not used before; on the disk before anything is signed with it. At least the time, so that a phone
 * whose storage was put back to an older state goes on above what it has sent.
 */
export async function nextCounter({ userId, id }: PhoneKey): Promise<number | undefined> {
  const kept = await update(
    userId,
    (kept) => kept && { ...kept, counter: Math.max(kept.counter + 1, Date.now()) },
  )
  return kept?.id === id ? kept.counter : undefined
}

async function update(
  userId: string,
  change: (kept: PhoneKey | undefined) => PhoneKey | undefined,
): Promise<PhoneKey | undefined> {
  const tx = (await database()).transaction('keys', 'readwrite', { durability: 'strict' })
  const next = change(await tx.store.get(userId))
  await Promise.all([next && tx.store.put(next), tx.done])
  return next
}

/** This phone's state for its user, and its key; null until they were read. */
export function useSigning(user: FieldUser): { signing: Signing; key: PhoneKey | undefined } | null {
  const [key, setKey] = useState<PhoneKey | undefined | null>(null)
  useEffect(() => {
    let ended = false
    const read = () =>
      void readKey(user.userId)
        .catch(() => undefined)
        .then((found) => ended || setKey(found))
    read()
    const unwatch = watchChanges(read)
    return () => {
      ended = true
      unwatch()
    }
  }, [user.userId])
  return key === null ? null : { key, signing: signingOf(key, user) }
}
