import type { ButtonVariant } from '#web/components/button.tsx'
import { LinkButton } from './account-form.tsx'
import { keptNext } from './kept-next.ts'
import { safeRedirectPath, withNext } from './safe-redirect.ts'

/** Leads to the login after a link in an email, and from there to where the visitor was going before. */
export const LoginButton = ({ variant = 'secondary' }: { variant?: ButtonVariant }) => (
  <LinkButton to={withNext('/user/signin', safeRedirectPath(keptNext()))} variant={variant} className="mt-6">
    Log in
  </LinkButton>
)
