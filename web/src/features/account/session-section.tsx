import type { SessionView } from '@befaqt/domain/api/account-api'
import { endOtherSessions, endSession } from '@befaqt/domain/api/endpoints/sessions'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Time } from '#web/time/time.tsx'
import { FailureAlert } from './failure-alert.tsx'

/** Open sessions with device and last use; each of the others can be ended, or all at once. */
export function SessionSection({ sessions }: { sessions: SessionView[] }) {
  const { busy, failure, dismiss, run } = useRevalidatingCall()
  const disabled = !useHydrated()
  return (
    <div className="grid gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <ul className="divide-y divide-line border-line border-y">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            disabled={disabled}
            busy={busy}
            onEnd={() => void run(() => callApi(endSession, { params: { id: session.id } }))}
          />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          variant="outline"
          className="justify-self-start"
          disabled={disabled}
          aria-disabled={busy}
          onClick={() => void run(() => callApi(endOtherSessions))}
        >
          Log out everywhere else
        </Button>
      )}
    </div>
  )
}

type RowProps = { session: SessionView; disabled: boolean; busy: boolean; onEnd: () => void }

const SessionRow = ({ session, disabled, busy, onEnd }: RowProps) => (
  <li className="flex items-center justify-between gap-4 py-3">
    <div className="min-w-0">
      <p className="font-semibold">
        {session.device} {session.current && <Badge tone="teal">This device</Badge>}
      </p>
      <p className="text-slate text-sm">
        Last used <Time at={session.lastUsedAt} />, from {session.address}
      </p>
    </div>
    {!session.current && (
      <Button
        variant="outline"
        disabled={disabled}
        aria-disabled={busy}
        aria-label={`Log out ${session.device}`}
        onClick={onEnd}
      >
        Log out
      </Button>
    )}
  </li>
)
