import type { Paged } from '@befaqt/domain/api/box-api'
import type { Change, FailedEmail } from '@befaqt/domain/api/manage-api'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { Confirm } from '../list/confirm.tsx'
import { valueText } from '../list/differences.ts'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { PlainTable } from '../list/list-table.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { MailActions, mailColumns } from './mail-row.tsx'
import { mailName, useFailedEmails } from './use-failed-emails.ts'

/** Manage Mail: emails that could not be delivered so far, to be retried or discarded. */
export function MailScreen({ found }: { found: Read<Paged<FailedEmail>> }) {
  return (
    <ManageLayout title="Manage Mail">
      <p className="mb-6 max-w-prose text-slate">
        Emails that couldn’t be delivered. We retry for two days. Content stays private.
      </p>
      <ReadResult found={found}>{(page) => <FailedEmails loaded={page} />}</ReadResult>
    </ManageLayout>
  )
}

function FailedEmails({ loaded }: { loaded: Paged<FailedEmail> }) {
  const { page, busy, status, failure, dismiss, ...emails } = useFailedEmails(loaded)
  const [leaving, setLeaving] = useState<FailedEmail | null>(null)
  const [history, setHistory] = useState(false)
  const hydrated = useHydrated()
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('give-up')
  const giveUp = (mail: FailedEmail) => {
    removing(
      page.rows.map(({ _id }) => _id),
      mail._id,
    )
    emails.giveUp(mail)
  }
  return (
    <>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <div className="mb-4 flex min-h-11 flex-wrap items-center gap-x-6 gap-y-2">
        {page.total > 1 && (
          <Button variant="outline" disabled={!hydrated} onClick={emails.sendAll}>
            Retry all now
          </Button>
        )}
        <Button variant="link" disabled={!hydrated} onClick={() => setHistory(true)}>
          Activity
        </Button>
        <StatusMessage message={status} />
      </div>
      <div ref={place}>
        <PlainTable
          caption="Undelivered emails"
          columns={mailColumns}
          rows={page.rows}
          idOf={({ _id }) => _id}
          busy={busy}
          empty={page.total === 0 ? 'No failed emails.' : 'Nothing is left on this page.'}
          actions={(mail) => (
            <MailActions
              mail={mail}
              busy={busy.has(mail._id)}
              onSend={() => emails.sendAgain(mail)}
              onGiveUp={() => setLeaving(mail)}
            />
          )}
        />
      </div>
      <Pagination {...page} thing="email" things="emails" />
      <GiveUpDialog mail={leaving} onGiveUp={giveUp} onClose={() => setLeaving(null)} />
      <HistoryDialog
        entity="mail"
        of={history ? { name: 'failed emails' } : null}
        describe={describe}
        onClose={() => setHistory(false)}
      />
    </>
  )
}

/** What somebody did about an email, and its state before. */
function describe({ action, before, after }: Change) {
  const mail = action === 'delete' ? before : after
  const name = mailName({ letter: valueText(mail?.letter), to: valueText(mail?.to) })
  const tries = Number(before?.tries) === 1 ? '1 try' : `${valueText(before?.tries)} tries`
  return (
    <>
      {action === 'delete' ? 'discarded' : 'retried'} the {name} after {tries}.{' '}
      <span className="wrap-anywhere">{valueText(before?.lastError)}</span>
    </>
  )
}

type GiveUpProps = { mail: FailedEmail | null; onGiveUp: (mail: FailedEmail) => void; onClose: () => void }

/** Asks before an email is discarded: nobody can bring it back. */
function GiveUpDialog({ mail, onGiveUp, onClose }: GiveUpProps) {
  const giveUp = async () => {
    onClose()
    if (mail) onGiveUp(mail)
  }
  return (
    <Dialog open={mail !== null} title="Discard this email?" onClose={onClose}>
      <Confirm action="Discard it" onConfirm={giveUp} onClose={onClose}>
        <p className="wrap-anywhere">
          The {mail && mailName(mail)} will never be sent, and its content is deleted. This can’t be undone.
        </p>
      </Confirm>
    </Dialog>
  )
}
