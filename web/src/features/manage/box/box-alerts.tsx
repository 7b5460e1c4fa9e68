import { noteAlertSeen } from '@befaqt/domain/api/endpoints/managed-boxes'
import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { useAction } from '../use-action.ts'
import { Alerts } from './box-row.tsx'

/** Excursions of a box, and its alerts with their time, to be noted as seen. */
export function BoxAlerts({ box: { boxID, alerts, excursions } }: { box: ManagedBox }) {
  const { failure, message, run, dismiss, ready } = useAction()
  if (alerts.length === 0 && excursions.length === 0) return null
  const note = (kind: string, at: string, seen: boolean) =>
    run(async () => {
      await callApi(noteAlertSeen, { params: { boxID }, body: { kind, at, seen } })
      return seen ? 'Noted as seen.' : 'To be seen again.'
    })
  return (
    <section aria-labelledby="alerts" className="grid gap-2">
      <h2 id="alerts" className="text-xl">
        Excursions and alerts
      </h2>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <StatusMessage message={message} className="empty:hidden" />
      <Alerts alerts={[]} excursions={excursions} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {alerts.map(({ kind, at, words, seen }) => (
          <li
            key={`${kind} ${at}`}
            className="flex min-h-12 flex-wrap items-center justify-between gap-2 py-1"
          >
            <span className={seen ? 'text-slate' : 'text-warn'}>
              {words}
              {at && (
                <span className="block text-slate text-sm">
                  <Moment at={at} />
                  {seen && (
                    <>
                      ; seen by {seen.who}, <Moment at={seen.at} />
                    </>
                  )}
                </span>
              )}
            </span>
            {at && (
              <Button variant="outline" disabled={!ready} onClick={() => void note(kind, at, seen === null)}>
                {seen ? 'Not seen' : 'Seen'}
                <span className="sr-only">: {words}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="text-slate text-sm">Alerts prompt a check. They are not a food-safety ruling.</p>
    </section>
  )
}
