import type { ButtonVariant } from '#web/components/button.tsx'
import { LinkButton } from './account-form.tsx'
import { keptNext } from './kept-next.ts'
import { safeRedirectPath, withNext } from './safe-redirect.ts'

/** Leads to the login after a link of a mail, and from there on to where one was going before it. */
export const LoginButton = ({ variant = 'secondary' }: { variant?: ButtonVariant }) => (
  <LinkButton to={withNext('/user/signin', safeRedirectPath(keptNext()))} variant={variant} className="mt-6">
    Login
  </LinkButton>
)
