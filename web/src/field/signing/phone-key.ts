import type { FieldUser } from '@befaqt/domain/api/field-api'
import { FIRST } from '@befaqt/provenance/signed/statement'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { useEffect, useState } from 'react'
import { changed, watchChanges } from '../database.ts'
import { type Signing, signingOf } from './signing.ts'

/** What this phone signed of an entry, until the shop has answered: sent again as it is, and not signed twice. */
export type PhoneStatement = {
  box: string
  text: string
  /** SHA-256 of the text, hex: the `prev` of the next one. */
  hash: string
  signed: { key: string; counter: number; signature: string; prev: string }
}

/** The key with which this phone signs for one account. The private half can't be read, by this page neither. */
export type PhoneKey = {
  userId: string
  /** Id of the key, and its public half in hex. */
  id: string
  publicKey: string
  privateKey: CryptoKey
  /** The last counter that may have been sent. */
  counter: number
  /** By box the hash of what was signed last, the oldest first. Absent before anything was; lost, the phone begins anew. */
  heads?: Readonly<Record<string, string>>
  /** By entry. */
  unanswered?: Readonly<Record<string, PhoneStatement>>
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
 * A counter that was not used before, and the hash of what was signed last about a box; on the disk before anything is
 * signed with it. At least the time, so that a phone whose storage was put back to an older state goes on above what it
 * has sent.
 */
export async function nextPlace(
  { userId, id }: PhoneKey,
  box: string,
): Promise<{ counter: number; prev: string } | undefined> {
  const kept = await update(
    userId,
    (kept) => kept && { ...kept, counter: Math.max(kept.counter + 1, Date.now()) },
  )
  return kept?.id === id ? { counter: kept.counter, prev: kept.heads?.[box] ?? FIRST } : undefined
}

/** Boxes whose last statement a phone keeps, and statements that wait for an answer: more than anybody has under way. */
const MAX_HEADS = 500
const MAX_UNANSWERED = 100

const withHead = (
  heads: PhoneKey['heads'],
  box: string,
  hash: string | undefined,
): NonNullable<PhoneKey['heads']> => {
  const { [box]: _, ...others } = heads ?? {}
  const kept = Object.entries(others).slice(1 - MAX_HEADS)
  return Object.fromEntries(hash === undefined ? kept : [...kept, [box, hash]])
}

/** Keeps what was signed of an entry, before it is sent: the next statement about its box goes on from there. */
export const keepStatement = ({ userId, id }: PhoneKey, entryId: string, statement: PhoneStatement) =>
  update(userId, (kept) =>
    kept?.id === id
      ? {
          ...kept,
          heads: withHead(kept.heads, statement.box, statement.hash),
          unanswered: Object.fromEntries([
            ...Object.entries(kept.unanswered ?? {}).slice(1 - MAX_UNANSWERED),
            [entryId, statement],
          ]),
        }
      : kept,
  )

/**
 * Notes what became of what was signed of an entry. `recorded`: the chain goes on from it. `dropped`: the shop does not have
 * it, so that the chain goes on from the one before, where nothing was signed since. `forked`: the shop has another one in
 * its place, so that the chain of its box begins anew.
 */
export const noteAnswer = (
  { userId, id }: PhoneKey,
  entryId: string,
  became: 'recorded' | 'dropped' | 'forked',
) =>
  update(userId, (kept) => {
    const statement = kept?.unanswered?.[entryId]
    if (kept?.id !== id || statement === undefined) return kept
    const { [entryId]: _, ...unanswered } = kept.unanswered ?? {}
    const { box, hash, signed } = statement
    const back = signed.prev === FIRST ? undefined : signed.prev
    const isLast = became === 'dropped' && kept.heads?.[box] === hash
    const heads =
      became === 'forked' || isLast ? withHead(kept.heads, box, isLast ? back : undefined) : kept.heads
    return { ...kept, ...(heads && { heads }), unanswered }
  })

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
