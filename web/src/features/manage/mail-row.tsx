import type { HeldMail } from '@befaqt/domain/api/manage-api'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/features/account/use-hydrated.ts'
import { When } from '#web/features/box/when.tsx'
import { mailName } from './use-held-mail.ts'

/** Classes of the grid that a mail's cells stand in on a wide screen. */
export const mailGrid = 'lg:grid-cols-[minmax(14rem,1.1fr)_9rem_minmax(16rem,1.5fr)_17rem]'

const states: Readonly<Record<HeldMail['state'], readonly [tone: BadgeTone, words: string]>> = {
  sending: ['teal', 'being sent'],
  due: ['teal', 'being sent'],
  waiting: ['warn', 'tried again later'],
  'given up': ['bad', 'not tried again'],
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
const triesWords = (tries: number): string => (tries === 1 ? '1 try' : `${tries} tries`)

function Progress({ mail }: { mail: HeldMail }) {
  const { state, tries, lastError, nextTryAt, expired } = mail
  const [tone, words] = states[state]
  return (
    <div className="grid gap-1 max-lg:w-full">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone={tone}>{words}</Badge>
        <span className="text-slate">
          {tries > 0 && triesWords(tries)}
          {nextTryAt && (
            <>
              , next <When text={nextTryAt} />
            </>
          )}
        </span>
      </p>
      <p className="text-sm wrap-anywhere">{lastError}</p>
      {expired && (
        <p className="text-sm text-slate">Its link has ended. Whoever waits for it can ask for a new one.</p>
      )}
    </div>
  )
}

type Props = { mail: HeldMail; busy: boolean; onSend: () => void; onGiveUp: () => void }

/** One mail of the list, with what can be done about it. */
export function MailRow({ mail, busy, onSend, onGiveUp }: Props) {
  const { to, letter, askedAt, state, expired } = mail
  const ready = useHydrated() && !busy && state !== 'sending'
  return (
    <li aria-busy={busy} className="border-line border-b px-3 py-3 odd:bg-surface even:bg-ice">
      <div className={`flex flex-wrap items-center gap-x-5 gap-y-2 lg:grid lg:gap-x-4 ${mailGrid}`}>
        <span className="min-w-0 max-lg:w-full">
          <span className="block font-semibold">{capital(letter)}</span>
          <span className="block wrap-anywhere">{to || 'to nobody'}</span>
        </span>
        <span className="text-slate text-sm">
          <span className="lg:sr-only">Asked for </span>
          <When text={askedAt} />
        </span>
        <Progress mail={mail} />
        <div className="flex flex-wrap gap-2 max-lg:w-full lg:justify-end">
          {!expired && (
            <Button
              look="quiet"
              className="px-3"
              data-action="send"
              disabled={!ready || state === 'due'}
              onClick={onSend}
              aria-label={`Send again now: ${mailName(mail)}`}
            >
              Send again now
            </Button>
          )}
          <Button
            look="quiet"
            className="px-3"
            data-action="give-up"
            disabled={!ready}
            onClick={onGiveUp}
            aria-label={`Give up: ${mailName(mail)}`}
          >
            Give up
          </Button>
        </div>
      </div>
    </li>
  )
}
