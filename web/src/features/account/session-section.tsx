import type { SessionView } from '@befaqt/domain/api/account-api'
import { endOtherSessions, endSession } from '@befaqt/domain/api/endpoints/account'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Moment } from '#web/time/time.tsx'
import { FailureAlert } from './account-form.tsx'

/** Open sessions with device and last use; each of the others can be ended, or all at once. */
export function SessionSection({ sessions }: { sessions: SessionView[] }) {
  const { busy, failure, dismiss, run } = useRevalidatingCall()
  const disabled = !useHydrated()
  const { place, removing } = useFocusAfterRemoval<HTMLUListElement>('end')
  const others = sessions.flatMap(({ id, current }) => (current ? [] : [id]))
  const end = (id: string) => {
    removing(others, id)
    void run(() => callApi(endSession, { params: { id } }))
  }
  const endOthers = () => {
    for (const id of others.slice(0, 1)) removing([], id)
    void run(() => callApi(endOtherSessions))
  }
  return (
    <div className="grid gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <ul ref={place} className="divide-y divide-line border-line border-y">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            disabled={disabled}
            busy={busy}
            onEnd={() => end(session.id)}
          />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          variant="outline"
          className="justify-self-start"
          disabled={disabled}
          aria-disabled={busy}
          onClick={endOthers}
        >
          Log out everywhere else
        </Button>
      )}
    </div>
  )
}

type RowProps = { session: SessionView; disabled: boolean; busy: boolean; onEnd: () => void }

const SessionRow = ({ session, disabled, busy, onEnd }: RowProps) => (
  <li
    data-row={session.id}
    data-empty={session.current || undefined}
    tabIndex={session.current ? -1 : undefined}
    className="flex items-center justify-between gap-4 py-3"
  >
    <div className="min-w-0">
      <p className="font-semibold">
        {session.device} {session.current && <Badge tone="teal">This device</Badge>}
      </p>
      <p className="muted">
        Last used <Moment at={session.lastUsedAt} />, from {session.address}
      </p>
    </div>
    {!session.current && (
      <Button
        variant="outline"
        data-action="end"
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
