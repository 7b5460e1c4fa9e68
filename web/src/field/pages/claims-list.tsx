import { decideFieldClaim, listFieldClaims } from '@befaqt/domain/api/endpoints/suppliers'
import type { ClaimState, FieldClaim } from '@befaqt/domain/api/field-api'
import { MARKET_TIME_ZONE } from '@befaqt/domain/market-time'
import { momentText } from '@befaqt/domain/moment-text'
import { temperatureText } from '@befaqt/domain/tracking'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useCall } from '#web/api/use-call.ts'
import { useRead } from '#web/api/use-read.ts'
import { Alert } from '#web/components/alert.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'

const readClaims = () => callApi(listFieldClaims)

const marks = {
  waiting: { tone: 'warn', word: 'waits for confirmation' },
  confirmed: { tone: 'good', word: 'confirmed' },
  refused: { tone: 'bad', word: 'not confirmed' },
  lapsed: { tone: 'bad', word: 'nobody confirmed it in time' },
} as const satisfies Record<ClaimState, { tone: string; word: string }>

const entriesText = (count: number, kind: FieldClaim['kind']): string => {
  const what = kind === 'catch' ? ['entry', 'entries'] : ['reading', 'readings']
  return `${count} ${what[count === 1 ? 0 : 1]}`
}

/** Why a catch waits. */
const doubts = {
  old: 'It came more than two weeks after it was caught, so the shop looks at it first.',
  number: 'This number is not of a label of yours, so the shop looks at it first.',
} as const

/**
 * Hand-overs that one side alone said: those of others to confirm or refuse, and what became of this supplier's own and
 * of catches that the shop looks at first.
 * @param onDecided something changed hands
 */
export function ClaimsList({ onDecided }: { onDecided: () => void }) {
  const { value: claims, failure, again } = useRead(readClaims)
  const { busy, failure: refused, run } = useCall()
  if (failure !== null) return <Alert tone="warn">{userMessage(failure)}</Alert>
  if (claims === null || claims.length === 0) return null
  const decide = (id: string, confirmed: boolean) =>
    void run(() => callApi(decideFieldClaim, { params: { id }, body: { confirmed } })).then(() => {
      again()
      onDecided()
    })
  return (
    <section aria-label="To be confirmed" className="grid gap-3">
      <h2 className="text-2xl">To be confirmed</h2>
      {refused !== null && <Alert tone="warn">{userMessage(refused)}</Alert>}
      <ul className="divide-y divide-line border-line border-y">
        {claims.map((claim) => (
          <Claim key={claim.id} claim={claim} busy={busy} decide={decide} />
        ))}
      </ul>
    </section>
  )
}

type ClaimProps = { claim: FieldClaim; busy: boolean; decide: (id: string, confirmed: boolean) => void }

function Claim({ claim, busy, decide }: ClaimProps) {
  const { id, kind, boxID, own, state, said, caught, waitsUntil, entries, reason } = claim
  const lost = own && entries > 0 && (state === 'refused' || state === 'lapsed')
  return (
    <li className="grid gap-2 py-3">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-mono">{boxID}</span>
        <Badge tone={marks[state].tone}>{marks[state].word}</Badge>
      </p>
      {said && (
        <p>
          {own
            ? `You said that you ${said.accepted ? 'received' : 'refused'} it`
            : `${said.to} said that they ${said.accepted ? 'received' : 'refused'} it from ${said.from}`}
          , {momentText(said.time, MARKET_TIME_ZONE)}
          {said.temperature !== null && `, ${temperatureText(said.temperature)} °C`}
          {said.reason && `: ${said.reason}`}
        </p>
      )}
      {caught && (
        <p>
          {caught.species}, caught {momentText(caught.time, MARKET_TIME_ZONE)}. {doubts[caught.doubt]}
          {entries > 0 && ` With it: ${entriesText(entries, kind)} of this box.`}
        </p>
      )}
      {state === 'waiting' && waitsUntil !== null && (
        <p className="muted">
          {own ? 'Until whoever holds it or the shop confirms it, it' : 'It'} waits until{' '}
          {momentText(waitsUntil, MARKET_TIME_ZONE)}
          {entries > 0 && `, with ${entriesText(entries, kind)}`}.
        </p>
      )}
      {kind === 'catch' && state === 'refused' && (
        <p className="text-sm text-warn">The catch was not recorded: {reason}</p>
      )}
      {lost && <p className="text-sm text-warn">{entriesText(entries, kind)} of yours were not recorded.</p>}
      {!own && (
        <div className="flex flex-wrap gap-3">
          <Button
            className="min-h-12"
            disabled={busy}
            aria-label={`Confirm for box ${boxID}`}
            onClick={() => decide(id, true)}
          >
            Confirm
          </Button>
          <Button
            variant="outline"
            className="min-h-12"
            disabled={busy}
            aria-label={`Refuse for box ${boxID}`}
            onClick={() => decide(id, false)}
          >
            Refuse
          </Button>
        </div>
      )}
    </li>
  )
}
