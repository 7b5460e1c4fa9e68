import type { Paged } from '@befaqt/domain/api/box-api'
import type { Change, FailedEmail } from '@befaqt/domain/api/manage-api'
import { useState } from 'react'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Moment } from '#web/time/time.tsx'
import { Confirm, FailureBanner, StatusMessage } from '../form-parts.tsx'
import { columnsOf } from '../list/columns.tsx'
import { valueText } from '../list/differences.ts'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { PlainTable, RowAction } from '../list/list-table.tsx'
import { ViewTabs } from '../list/views.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { mailName, useFailedEmails } from './use-failed-emails.ts'

/** Manage Mail: emails that could not be delivered so far, to be retried or discarded. */
export function MailScreen({ found }: { found: Read<Paged<FailedEmail>> }) {
  return (
    <ManageLayout>
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
      <ViewTabs filters={[]} sorts={[]} />
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
      <ListPlaces {...page} thing="email" things="emails" />
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

const states: Readonly<Record<FailedEmail['state'], readonly [tone: BadgeTone, label: string]>> = {
  sending: ['teal', 'being sent'],
  due: ['teal', 'being sent'],
  waiting: ['warn', 'retried later'],
  'given up': ['bad', 'not retried'],
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const triesWords = (tries: number): string => (tries === 1 ? '1 try' : `${tries} tries`)

function Progress({ mail }: { mail: FailedEmail }) {
  const { state, tries, lastError, nextTryAt, expired } = mail
  const [tone, label] = states[state]
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone={tone}>{label}</Badge>
        <span className="text-slate">
          {tries > 0 && triesWords(tries)}
          {nextTryAt && (
            <>
              , next <Moment at={nextTryAt} />
            </>
          )}
        </span>
      </p>
      <p className="text-sm wrap-anywhere">{lastError}</p>
      {expired && <p className="muted">Its link has expired. The recipient can ask for a new one.</p>}
    </div>
  )
}

/** What the list of mails shows. */
const mailColumns = columnsOf<'mail', FailedEmail>('mail', {
  email: {
    heading: 'Email',
    isName: true,
    className: 'lg:min-w-56',
    cell: ({ letter, to }) => (
      <>
        <span className="block font-semibold">{capital(letter)}</span>
        <span className="block wrap-anywhere">{to || 'to nobody'}</span>
      </>
    ),
  },
  asked: {
    heading: 'Asked for',
    labelled: true,
    className: 'muted xl:min-w-40',
    cell: ({ askedAt }) => <Moment at={askedAt} />,
  },
  why: { heading: 'Why', className: 'max-lg:w-full', cell: (mail) => <Progress mail={mail} /> },
})

type ActionsProps = { mail: FailedEmail; busy: boolean; onSend: () => void; onGiveUp: () => void }

/** What can be done about a mail of the list. */
function MailActions({ mail, busy, onSend, onGiveUp }: ActionsProps) {
  const { state, expired } = mail
  const ready = useHydrated() && !busy && state !== 'sending'
  return (
    <>
      {!expired && (
        <RowAction
          action="send"
          label={`Retry now: ${mailName(mail)}`}
          disabled={!ready || state === 'due'}
          onClick={onSend}
        >
          Retry now
        </RowAction>
      )}
      <RowAction action="give-up" label={`Discard: ${mailName(mail)}`} disabled={!ready} onClick={onGiveUp}>
        {' '}
        Discard{' '}
      </RowAction>
    </>
  )
}
