import { MARKET_TIME_ZONE } from '@befaqt/domain/market-time'
import { useEffect, useReducer } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { useSite } from '#web/root-data.ts'
import { checkShopProof } from './check-proof.ts'
import { type CheckState, nextCheck } from './check-state.ts'
import { keptNodes } from './kept-by-browser.ts'

const waiting: CheckState = { phase: 'waiting' }

/** Was this box ever recorded? The shop proves that it was not, and this browser checks it. Source: protocol §4, Absence. */
export default function AbsenceCheck({ boxID }: { boxID: string }) {
  const site = useSite()
  const contract = site?.chain.contract ?? null
  const timeZone = site?.market.timeZone ?? MARKET_TIME_ZONE
  const [state, tell] = useReducer(nextCheck, waiting)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const terms = {
      absence: true,
      nodes: keptNodes(),
      contract,
      policy: null,
      timeZone,
      page: null,
      remembered: new Map(),
    }
    void checkShopProof(boxID, terms, { tell: (event) => signal.aborted || tell(event), signal })
    return () => controller.abort()
  }, [boxID, contract, timeZone])
  const { tone, text } = findingOf(state, boxID)
  return (
    <Alert tone={tone} className="mb-8 max-w-prose">
      {text}
    </Alert>
  )
}

function findingOf(state: CheckState, boxID: string): { tone: 'info' | 'warn'; text: string } {
  if (state.phase === 'failed') return { tone: 'warn', text: state.message }
  if (state.phase !== 'done')
    return { tone: 'info', text: 'Your browser asks the ledger whether this box was ever recorded.' }
  const { result } = state
  if (result.verdict === 'absent' && result.box === boxID)
    return {
      tone: 'info',
      text: `Proven by your browser: the ledger ${state.asked.grade === 'own' ? 'that the shop names ' : ''}holds no box of this number. If a label shows it, the fish has no history here.`,
    }
  return {
    tone: 'warn',
    text: `The shop did not prove that this box was never recorded. ${result.box === boxID ? result.words : ''}`,
  }
}
