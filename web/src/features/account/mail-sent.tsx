import type { ReactNode } from 'react'
import { GoButton } from './go-button.tsx'
import { OutboxHint } from './outbox-hint.tsx'

/** What stands in a form's place once its mail was sent. `children` says what to do with it. */
export const MailSent = ({ words, children }: { words: string; children: ReactNode }) => (
  <div role="status">
    <p className="text-lg">{words}</p>
    <p className="mt-2 text-slate">{children}</p>
    <OutboxHint />
    <GoButton to="/user/signin" className="mt-6">
      Return
    </GoButton>
  </div>
)
