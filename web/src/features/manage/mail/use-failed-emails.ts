import type { Paged } from '@befaqt/domain/api/box-api'
import { discardEmail, retryAllEmails, retryEmail } from '@befaqt/domain/api/endpoints/manage'
import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { startTransition, useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'

/** How often to look how the emails fare that are being sent. */
const POLL_MS = 2_000

/** An email as messages name it. */
export const mailName = ({ letter, to }: Pick<FailedEmail, 'letter' | 'to'>): string =>
  to === '' ? letter : `${letter} to ${to}`

const isUnderWay = ({ state }: FailedEmail): boolean => state === 'due' || state === 'sending'

/** How emails are shown before the shop has answered and the page has been read again; null: discarded. */
function useOptimisticMail(loaded: Paged<FailedEmail>) {
  const [optimistic, setOptimistic] = useState<ReadonlyMap<string, FailedEmail | null>>(new Map())
  const show = (id: string, mail: FailedEmail | null) => setOptimistic((now) => new Map(now).set(id, mail))
  /** In a transition, as the page's new data come in one: the two are shown together. */
  const clear = (id: string) =>
    startTransition(() => setOptimistic((now) => new Map([...now].filter(([other]) => other !== id))))
  const rows = loaded.rows.flatMap((mail) => {
    const coming = optimistic.get(mail._id)
    return coming === undefined ? [mail] : (coming ?? [])
  })
  const total = loaded.total - (loaded.rows.length - rows.length)
  return { page: { ...loaded, rows, total }, busy: new Set(optimistic.keys()), show, clear }
}

/** Reports what became of the emails that were retried here. */
function useOutcome(rows: readonly FailedEmail[], announce: (message: string) => void) {
  const asked = useRef(new Map<string, FailedEmail>())
  useEffect(() => {
    for (const mail of asked.current.values()) {
      const now = rows.find(({ _id }) => _id === mail._id)
      if (now && isUnderWay(now)) continue
      asked.current.delete(mail._id)
      announce(now ? `It failed again: ${mailName(mail)}.` : `Sent: ${mailName(mail)}.`)
    }
  }, [rows, announce])
  return (mail: FailedEmail) => void asked.current.set(mail._id, mail)
}

/** Emails that were not delivered, what is done about them here, and what becomes of them. */
export function useFailedEmails(loaded: Paged<FailedEmail>) {
  const { page, busy, show, clear } = useOptimisticMail(loaded)
  const { revalidate } = useRevalidator()
  const [status, setStatus] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const awaitOutcome = useOutcome(loaded.rows, setStatus)
  const underWay = page.rows.some(isUnderWay)

  useEffect(() => {
    if (!underWay) return
    const timer = setInterval(() => void revalidate(), POLL_MS)
    return () => clearInterval(timer)
  }, [underWay, revalidate])

  /** What was refused may be over meanwhile, so the list is read again either way. */
  const trying = async (work: () => Promise<void>, id?: string) => {
    setStatus('')
    setFailure(null)
    await work().catch(setFailure)
    await revalidate()
    if (id !== undefined) clear(id)
  }
  const sendAgain = (mail: FailedEmail) =>
    trying(async () => {
      show(mail._id, { ...mail, state: 'due', nextTryAt: null })
      await callApi(retryEmail, { params: { id: mail._id } })
      awaitOutcome(mail)
    }, mail._id)
  const sendAll = () =>
    trying(async () => {
      const { count } = await callApi(retryAllEmails)
      setStatus(`Sending ${count} ${count === 1 ? 'email' : 'emails'} again.`)
    })
  const giveUp = (mail: FailedEmail) =>
    trying(async () => {
      show(mail._id, null)
      await callApi(discardEmail, { params: { id: mail._id } })
      setStatus(`Discarded: ${mailName(mail)}.`)
    }, mail._id)
  return {
    page,
    busy,
    status,
    failure,
    dismiss: () => setFailure(null),
    sendAgain: (mail: FailedEmail) => void sendAgain(mail),
    sendAll: () => void sendAll(),
    giveUp: (mail: FailedEmail) => void giveUp(mail),
  }
}
