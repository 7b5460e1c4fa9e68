import { signOut } from '@befaqt/domain/api/endpoints/account'
import { readFieldUser } from '@befaqt/domain/api/endpoints/suppliers'
import type { FieldUser } from '@befaqt/domain/api/field-api'
import { ShopError } from '@befaqt/domain/errors'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { changed, database, type Remembered, watchChanges } from '../database.ts'

/** Whether the shop knows who this is: `offline` until it was reached. */
export type Session = 'offline' | 'open' | 'ended' | 'not a supplier'

let session: Session = 'offline'

function setSession(now: Session): void {
  if (now === session) return
  session = now
  changed()
}

/** The user of this phone as it was last known, also without coverage. */
export const rememberedUser = async (): Promise<FieldUser | undefined> =>
  withPhones(await (await database()).get('users', 'current'))

/** A user stored by an older version of these pages has no phones, or no labels. */
const withPhones = (user: Partial<FieldUser> | undefined): FieldUser | undefined =>
  user && ({ phones: [], labels: [], ...user } as FieldUser)

/** Asks the shop who is logged in. @returns undefined: nobody, nobody who may, or no answer */
export async function checkUser(): Promise<FieldUser | undefined> {
  try {
    const user = await callApi(readFieldUser)
    const before = await rememberedUser()
    if (JSON.stringify(before) !== JSON.stringify(user)) {
      await (await database()).put('users', user, 'current')
      changed()
    }
    setSession('open')
    return user
  } catch (error) {
    if (error instanceof ShopError && error.status === 401) setSession('ended')
    else if (error instanceof ShopError && [403, 409].includes(error.status)) setSession('not a supplier')
    return undefined
  }
}

/** The session ended while something was sent. */
export const noteSessionEnded = (): void => setSession('ended')

/** Logs out here; what waits stays for its owner. */
export async function logOut(): Promise<void> {
  await callApi(signOut)
  await (await database()).delete('users', 'current')
  setSession('ended')
  changed()
}

/** The user, null when there is none, undefined until that was read; and the state of the session. */
export function useUser(): { user: FieldUser | null | undefined; session: Session } {
  const [state, setState] = useState<{ user: FieldUser | null | undefined; session: Session }>({
    user: undefined,
    session,
  })
  useEffect(() => {
    const read = () =>
      void rememberedUser()
        .catch(() => undefined)
        .then((user) => setState({ user: user ?? null, session }))
    read()
    return watchChanges(read)
  }, [])
  return state
}

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
