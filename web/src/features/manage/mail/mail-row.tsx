import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Moment } from '#web/time/time.tsx'
import type { Column } from '../list/list-table.tsx'
import { RowAction } from '../list/row-action.tsx'
import { mailName } from './use-failed-emails.ts'

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
      {expired && (
        <p className="text-sm text-slate">Its link has expired. The recipient can ask for a new one.</p>
      )}
    </div>
  )
}

/** What the list of mails shows. */
export const mailColumns: readonly Column<FailedEmail>[] = [
  {
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
  {
    heading: 'Asked for',
    labelled: true,
    className: 'text-slate text-sm',
    cell: ({ askedAt }) => <Moment at={askedAt} />,
  },
  { heading: 'Why', className: 'max-lg:w-full', cell: (mail) => <Progress mail={mail} /> },
]

type Props = { mail: FailedEmail; busy: boolean; onSend: () => void; onGiveUp: () => void }

/** What can be done about a mail of the list. */
export function MailActions({ mail, busy, onSend, onGiveUp }: Props) {
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
