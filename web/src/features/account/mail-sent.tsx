import type { ReactNode } from 'react'
import { GoButton } from './go-button.tsx'
import { OutboxHint } from './outbox-hint.tsx'
import { withNext } from './safe-next.ts'
import { useNext } from './use-next.ts'

/** What stands in a form's place once its mail was sent. `children` says what to do with it. */
export const MailSent = ({ words, children }: { words: string; children: ReactNode }) => (
  <div role="status">
    <p className="text-lg">{words}</p>
    <p className="mt-2 text-slate">{children}</p>
    <OutboxHint />
    <GoButton to={withNext('/user/signin', useNext())} className="mt-6">
      Return
    </GoButton>
  </div>
)
