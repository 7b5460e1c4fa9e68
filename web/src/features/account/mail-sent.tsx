import type { ReactNode } from 'react'
import { useSite } from '#web/root-data.ts'
import { LinkButton } from './account-form.tsx'
import { withNext } from './safe-redirect.ts'
import { useNext } from './use-next.ts'

/** What replaces a form once its email was sent. `children` says what to do with it. */
export const MailSent = ({ text, children }: { text: string; children: ReactNode }) => (
  <div role="status">
    <p className="text-lg">{text}</p>
    <p className="mt-2 text-slate">{children}</p>
    <OutboxHint />
    <LinkButton to={withNext('/user/signin', useNext())} className="mt-6">
      Return
    </LinkButton>
  </div>
)

/** On a development site without a mail server: where emails are. */
export function OutboxHint() {
  if (!useSite()?.outbox) return null
  return (
    <p className="mt-4 rounded-md bg-ice p-3 text-slate text-sm">
      This site has no mail server. The email is a file in the folder <code>outbox</code> of its data folder.
    </p>
  )
}
