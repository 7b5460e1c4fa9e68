import { MARKET_TIME_ZONE } from '@befaqt/domain/market-time'
import { boxPath } from '@befaqt/domain/page-paths'
import { useEffect, useReducer, useRef } from 'react'
import { Link } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useSite } from '#web/root-data.ts'
import { checkFileProof } from '../check/check-proof.ts'
import { alertTones, type CheckEvent, type CheckState, nextCheck, verdictLine } from '../check/check-state.ts'
import { keptNodes, keptPolicy, rememberedBoxes } from '../check/kept-by-browser.ts'

/** The box that a proof is of; null where that could not be read, or there was no proof to read. */
const boxOf = (state: CheckState): string | null => (state.phase === 'done' ? state.result.box : null)

/** Checks a proof that somebody kept, in this browser, and says of which box it is. */
export default function CheckFile({ file }: { file: File }) {
  const site = useSite()
  const contract = site?.chain.contract ?? null
  const timeZone = site?.market.timeZone ?? MARKET_TIME_ZONE
  const [state, dispatch] = useReducer(nextCheck, { phase: 'waiting' })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const tell = (event: CheckEvent) => signal.aborted || dispatch(event)
    const policy = keptPolicy()
    const terms = {
      nodes: keptNodes(),
      contract,
      policy,
      timeZone,
      page: null,
      remembered: rememberedBoxes(),
    }
    void checkFileProof(file, terms, { tell, signal })
    return () => controller.abort()
  }, [file, contract, timeZone])
  const place = useRef<HTMLDivElement>(null)
  const isChecking = state.phase === 'waiting' || state.phase === 'checking'
  useEffect(() => {
    if (!isChecking) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isChecking])
  if (isChecking) return <Spinner label={`Checking ${file.name}`} />
  return (
    <div ref={place} className="scroll-my-24">
      <Finding file={file} state={state} />
    </div>
  )
}

/** What was found of the file, and the box that it is of. */
function Finding({ file, state }: { file: File; state: CheckState }) {
  const box = boxOf(state)
  const { tone, title, message } = verdictLine(state, box ?? '')
  if (state.phase === 'done' && box === null)
    return (
      <Alert tone="bad">
        <b className="font-semibold">Not a BeFAQT proof.</b>{' '}
        <span className="wrap-anywhere text-ink">
          {file.name} doesn’t hold the records of a box. A proof is the file that ‘Download the proof’ on the
          page of a box saves.
        </span>
      </Alert>
    )
  return (
    <>
      <Alert tone={alertTones[tone]}>
        <b className="font-semibold">
          {title}
          {box !== null && `, for box ${box}`}.
        </b>{' '}
        <span className="wrap-anywhere text-ink">{message}</span>
      </Alert>
      <p className="mt-2 break-all muted">{file.name}</p>
      {box !== null && (
        <Link to={boxPath(box)} className="link tap font-semibold">
          Open the page of box {box}
        </Link>
      )}
    </>
  )
}
