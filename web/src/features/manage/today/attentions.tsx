import { retryAllEmails } from '@befaqt/domain/api/endpoints/manage'
import type { Attention } from '@befaqt/domain/api/manage-api'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Icon } from '#web/components/icon.tsx'
import { FailureBanner } from '../form-parts.tsx'
import { useAction } from '../manage-layout.tsx'
import { Panel, rowsClass } from './panel.tsx'

/** What is done about it where its line leads, by its kind. */
const verbs: Readonly<Record<string, string>> = {
  'complaints-food': 'Look',
  complaints: 'Answer',
  'to-decide': 'Decide',
  'out-of-stock': 'Restock',
  'low-stock': 'Restock',
  'no-picture': 'Add',
  'no-origin': 'State',
  excursions: 'Look',
  'excursions-ended': 'Review',
  'box-alerts': 'Look',
}

/**
 * What needs attention, each with what is done about it.
 * @param isOwner of others only what is theirs was looked at
 * @param without kinds that stand elsewhere on the page, each with its own way to act
 */
export function Attentions({
  list,
  isOwner,
  without,
}: {
  list: readonly Attention[]
  isOwner: boolean
  without: readonly string[]
}) {
  const action = useAction()
  const shown = list.filter(({ kind }) => !without.includes(kind))
  const sendAll = () =>
    action.run(async () => {
      const { count } = await callApi(retryAllEmails)
      return count === 1 ? '1 email is sent again.' : `${count} emails are sent again.`
    })
  return (
    <Panel id="attention" title="Needs attention">
      {action.failure !== null && <FailureBanner error={action.failure} onDismiss={action.dismiss} />}
      {shown.length === 0 ? (
        <p className="flex items-center gap-3 rounded-md bg-good-ice p-4 text-good">
          <Icon name="check" />
          {list.length > 0
            ? 'Nothing else.'
            : isOwner
              ? 'Nothing. Stock, boxes, emails and the ledger are fine.'
              : 'Nothing that is yours to do.'}
        </p>
      ) : (
        <ul className={rowsClass}>
          {shown.map(({ kind, words, href }) => (
            <li key={kind} id={kind} className="flex items-center gap-2">
              <Link
                to={href}
                className="flex min-h-11 min-w-0 flex-1 items-center gap-3 py-1.5 hover:text-teal"
              >
                <span className="size-2.5 shrink-0 rounded-full bg-coral" aria-hidden="true" />
                <span className="min-w-0 flex-1">{words}</span>
                {kind !== 'failed-mail' && verbs[kind] && (
                  <span className="shrink-0 font-semibold text-teal">{verbs[kind]}</span>
                )}
                {kind !== 'failed-mail' && <Icon name="right" className="size-5" />}
              </Link>
              {kind === 'failed-mail' && (
                <Button
                  variant="outline"
                  className="shrink-0 px-3"
                  disabled={!action.ready}
                  aria-busy={action.busy}
                  onClick={() => void sendAll()}
                >
                  Send again
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="text-good empty:hidden">
        {action.message}
      </p>
    </Panel>
  )
}
