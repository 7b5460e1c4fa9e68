import { sendFieldEntry } from '@befaqt/domain/api/endpoints/suppliers'
import type { FieldUser } from '@befaqt/domain/api/field-api'
import { ShopError } from '@befaqt/domain/errors'
import type { FieldTagReading } from '@befaqt/domain/field-entry'
import { answeredStatus, callApi } from '#web/api/call-api.ts'
import type { QueuedEntry } from '../database.ts'
import { changed, watchChanges } from '../database.ts'
import { readKey } from '../signing/phone-key.ts'
import { signingOf } from '../signing/signing.ts'
import { keepEntry, noteSent, readQueue } from './queue.ts'
import { checkUser, noteSessionEnded, rememberedUser } from './user.ts'

/** Between two looks at the queue, for what nothing else starts: coverage that came without an event. */
const POLL_MS = 30_000
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 10 * 60_000
/** One sender at a time, of all tabs. */
const LOCK = 'befaqt-field-send'

let sendingId: string | null = null

/** The entry that this tab is sending. */
export const currentlySending = (): string | null => sendingId

/** 5 s, doubling, at most ten minutes, and up to a half more, so that a fleet does not come at once. */
export const retryDelayMs = (attempts: number, chance = Math.random()): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), MAX_RETRY_MS) * (1 + chance / 2)

/** Whether the shop has judged this entry, so that sending it again as it is would change nothing. */
export const isFinal = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)

/**
 * Registers this phone where that waits, and sends what waits, one entry after the other, oldest first. An entry whose
 * answer was lost is sent again under the same id, which the shop records once.
 */
async function sendAll(all: boolean): Promise<void> {
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock === null) return
    const due = (entry: QueuedEntry): boolean =>
      entry.state === 'waiting' && (all || entry.nextAt <= Date.now())
    const isEnrolling = await enrolmentWaits()
    if (!isEnrolling && !(await readQueue()).some(due)) return
    let user = await checkUser()
    if (isEnrolling && user !== undefined && (await enrol(user))) user = await checkUser()
    if (user === undefined) return
    const tried = new Set<string>()
    for (;;) {
      const next = (await readQueue()).find(
        (entry) => due(entry) && entry.owner === user?.userId && !tried.has(entry.id),
      )
      if (next === undefined) return
      tried.add(next.id)
      sendingId = next.id
      changed()
      const goesOn = await send(next, user).finally(() => {
        sendingId = null
        changed()
      })
      if (!goesOn) return
    }
  })
}

/** Whether this phone has a key that the shop has neither registered nor refused. */
async function enrolmentWaits(): Promise<boolean> {
  const user = await rememberedUser()
  if (user === undefined) return false
  const key = await readKey(user.userId).catch(() => undefined)
  return signingOf(key, user).state === 'enrolling'
}

/** Registers this phone's key; what goes wrong on the phone holds no entry up. @returns whether the shop has it now */
async function enrol(user: FieldUser): Promise<boolean> {
  try {
    const { enrolWaiting } = await import('../signing/sign.ts')
    return await enrolWaiting(user)
  } catch (error) {
    console.warn('not registered', error)
    return false
  }
}

/** What this phone signs of an entry. A key that can't be read or used holds no entry up. */
async function signatureOf({ entry }: QueuedEntry, user: FieldUser): Promise<FieldTagReading['signed']> {
  try {
    const { signEntry } = await import('../signing/sign.ts')
    return await signEntry(entry, user)
  } catch (error) {
    console.warn('not signed', error)
    return undefined
  }
}

/** Notes what became of what was signed of an entry: what the next one goes on from. It holds no entry up. */
async function noteStatement(
  { id }: QueuedEntry,
  user: FieldUser,
  became: 'recorded' | 'dropped' | 'forked',
): Promise<void> {
  try {
    const { noteSignedAnswer } = await import('../signing/sign.ts')
    await noteSignedAnswer(id, user, became)
  } catch (error) {
    console.warn('not noted', error)
  }
}

/**
 * Sends one entry, signed where this phone signs. What the shop finds wrong with the signature does not hold the entry
 * up: where it goes on from something that another does, it is signed as the first of a new chain; else it is sent
 * without, and its outcome says so.
 * @returns whether the next one has a chance
 */
async function send(
  queued: QueuedEntry,
  user: FieldUser,
  signs: 'on' | 'anew' | 'not' = 'on',
): Promise<boolean> {
  const signed = signs === 'not' ? undefined : await signatureOf(queued, user)
  const body = new FormData()
  const sentAt = new Date().toISOString()
  body.set('entry', JSON.stringify({ ...queued.entry, sentAt, ...(signed && { signed }) }))
  if (queued.photo) body.set('photo', queued.photo, 'photo.jpg')
  try {
    const outcome = await callApi(sendFieldEntry, { body })
    if (signed) await noteStatement(queued, user, outcome.signed ? 'recorded' : 'dropped')
    await noteSent({ ...queued, outcome })
    return true
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    const status = answeredStatus(error)
    if (status === 401) {
      noteSessionEnded()
      return false
    }
    const { message, fields } = error
    if (signed && fields.some(({ path }) => path.startsWith('signed.'))) {
      const isForked = signs === 'on' && fields.some(({ path }) => path === 'signed.prev')
      await noteStatement(queued, user, isForked ? 'forked' : 'dropped')
      if (isForked) return send(queued, user, 'anew')
      await checkUser() // the key may be revoked
      return send(queued, user, 'not')
    }
    // somebody else logged in meanwhile: it waits for whoever made it
    if (status === 403 && (await checkUser())?.userId !== queued.owner) return false
    if (isFinal(status)) {
      if (signed) await noteStatement(queued, user, 'dropped')
      await keepEntry({ ...queued, state: 'refused', problem: message, fields })
      return true
    }
    const attempts = queued.attempts + 1
    const nextAt = Date.now() + retryDelayMs(attempts)
    await keepEntry({ ...queued, attempts, nextAt, problem: message })
    return status !== null
  }
}

/** Looks whether something can be sent. @param all also what waits for its next try: somebody asked, or coverage is back */
export function trySending(all = false): void {
  void sendAll(all).catch((error: unknown) => console.warn('sending failed', error))
}

/** Sends whenever there is a chance: now, with coverage, when the page is seen again, after a change, and now and then. */
export function startSending(): void {
  window.addEventListener('online', () => trySending(true))
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'visible' && trySending(true),
  )
  let known = 0
  watchChanges(() => {
    void readQueue().then((queue) => {
      const waiting = queue.filter(({ state }) => state === 'waiting').length
      if (waiting > known) trySending()
      known = waiting
    }, console.warn)
  })
  setInterval(() => trySending(), POLL_MS)
  void checkUser()
  trySending(true)
}
