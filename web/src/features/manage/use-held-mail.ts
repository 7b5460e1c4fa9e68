import type { Paged } from '@befaqt/domain/api/box-api'
import type { HeldMail } from '@befaqt/domain/api/manage-api'
import { useCallback, useEffect, useRef, useState } from 'react'
import { fetchApi } from '#web/api/fetch-api.ts'
import { visitorWords } from '#web/api/hydration.ts'
import { manageCalls } from './calls.ts'
import { useManagedRows } from './use-managed-rows.ts'

/** How often to look how the mails fare that are being sent. */
const LOOK_AGAIN_MS = 2_000

/** A letter as messages name it. */
export const mailName = ({ letter, to }: Pick<HeldMail, 'letter' | 'to'>): string =>
  to === '' ? letter : `${letter} to ${to}`

const isUnderWay = ({ state }: HeldMail): boolean => state === 'due' || state === 'sending'

/** What the page has loaded, until it is read anew. An answer that a later one has overtaken is left aside. */
function useNewest(loaded: Paged<HeldMail>) {
  const [from, setFrom] = useState(loaded)
  const [newest, setNewest] = useState(loaded)
  if (from !== loaded) {
    setFrom(loaded)
    setNewest(loaded)
  }
  const { page } = loaded
  const turn = useRef(0)
  const look = useCallback(async () => {
    const mine = ++turn.current
    const read = await fetchApi.heldMail({ page })
    if (mine === turn.current) setNewest(read)
  }, [page])
  return { newest, look }
}

/** Says how those fared that were sent again from here. */
function useOutcome(rows: readonly HeldMail[], say: (words: string) => void) {
  const asked = useRef(new Map<string, HeldMail>())
  useEffect(() => {
    for (const mail of asked.current.values()) {
      const now = rows.find(({ _id }) => _id === mail._id)
      if (now && isUnderWay(now)) continue
      asked.current.delete(mail._id)
      say(now ? `It failed again: ${mailName(mail)}.` : `Sent: ${mailName(mail)}.`)
    }
  }, [rows, say])
  return (mail: HeldMail) => void asked.current.set(mail._id, mail)
}

/** Mails that are held up, what is done about them here, and how they fare. */
export function useHeldMail(loaded: Paged<HeldMail>) {
  const { newest, look } = useNewest(loaded)
  const list = useManagedRows(newest.rows, ({ _id }) => _id)
  const [said, setSaid] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const awaitOutcome = useOutcome(newest.rows, setSaid)
  const underWay = list.rows.some(isUnderWay)

  useEffect(() => {
    if (!underWay) return
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [underWay, look])

  /** What was refused may be over meanwhile, so the list is read again either way. */
  const trying = async (work: () => Promise<void>) => {
    setSaid('')
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(visitorWords(error))
    }
    await look().catch((error: unknown) => setFailure(visitorWords(error)))
  }
  const sendAgain = (mail: HeldMail) =>
    trying(async () => {
      const due = { ...mail, state: 'due', nextTryAt: null } as const
      await list.change([mail], [due], async () => [await manageCalls.sendMailAgain(mail)])
      awaitOutcome(mail)
    })
  const sendAll = () =>
    trying(async () => {
      const { count } = await manageCalls.sendAllMailAgain()
      setSaid(`Sending ${count} ${count === 1 ? 'mail' : 'mails'} again.`)
    })
  const giveUp = (mail: HeldMail) =>
    trying(async () => {
      await list.remove(mail, () => manageCalls.giveUpMail(mail))
      setSaid(`Given up: ${mailName(mail)}.`)
    })
  return {
    page: { ...newest, rows: list.rows },
    busy: list.busy,
    said,
    failure,
    dismiss: () => setFailure(null),
    sendAgain: (mail: HeldMail) => void sendAgain(mail),
    sendAll: () => void sendAll(),
    giveUp: (mail: HeldMail) => void giveUp(mail),
  }
}
