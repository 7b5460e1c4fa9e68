import { sendActivationAgain } from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import type { ButtonVariant } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { PageHead } from '#web/head/page-head.tsx'
import { useSite } from '#web/root-data.ts'
import { failureText, LinkButton } from './account-form.tsx'
import { keepNext, keptNext } from './kept-next.ts'
import { safeRedirectPath, withNext } from './safe-redirect.ts'
import { useNext } from './use-next.ts'

type LayoutProps = {
  title: string
  children: ReactNode
  /** Its form can only be sent by the page's script. */
  needsScript?: boolean
  /** What search engines may know of it; absent: nothing. */
  found?: Pick<Head, 'canonical' | 'description'>
}

/** The one card that an account screen is. */
export function AccountLayout({ title, children, needsScript = false, found }: LayoutProps) {
  return (
    <div className="wrap py-10 sm:py-16">
      <PageHead describe={() => ({ title, ...found })} />
      <div className="mx-auto max-w-md rounded-lg border border-line bg-surface p-5 sm:p-8">
        <h1 className="mb-6 text-3xl sm:text-4xl">{title}</h1>
        {needsScript && (
          <noscript>
            <p className="mb-6 text-bad">This page needs JavaScript. Please switch it on for this site.</p>
          </noscript>
        )}
        {children}
      </div>
    </div>
  )
}

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
function OutboxHint() {
  if (!useSite()?.outbox) return null
  return (
    <p className="mt-4 rounded-md bg-ice p-3 muted">
      This site has no mail server. The email is a file in the folder <code>outbox</code> of its data folder.
    </p>
  )
}

/** Where the pages are that mailed links lead to. */
export const activationLink = (publicUrl: string): string => `${publicUrl}/user/activate/`
export const resetLink = (publicUrl: string): string => `${publicUrl}/user/resetpassword/`

/** Offers another activation email when that is why the sign-in was refused. */
export function ActivationAgain({ failure, email }: { failure: unknown; email: string }) {
  const site = useSite()
  const next = useNext()
  const [answer, setAnswer] = useState('')
  const { busy, failure: unsent, run } = useCall()
  const hydrated = useHydrated()
  const waits =
    failure instanceof ShopError && failure.code === 'account.inactive' && failure.details.canResend
  if (!waits || !site || !hydrated) return null
  const send = async () => {
    const body = { email, actLink: activationLink(site.publicUrl) }
    const { message } = await callApi(sendActivationAgain, { body })
    keepNext(next)
    setAnswer(message)
  }
  return (
    <div className="mt-2 grid justify-items-start" aria-live="polite">
      {unsent !== null && <p>{failureText(unsent)}</p>}
      {answer === '' ? (
        <button
          type="button"
          aria-busy={busy}
          onClick={() => void run(send)}
          className="min-h-11 font-semibold underline"
        >
          Send the activation email again
        </button>
      ) : (
        <>
          <p>{answer}</p>
          <OutboxHint />
        </>
      )}
    </div>
  )
}

/** Leads to the login after a link in an email, and from there to where the visitor was going before. */
export function LoginButton({ variant = 'secondary' }: { variant?: ButtonVariant }) {
  const next = useHydrated() ? safeRedirectPath(keptNext()) : '/'
  return (
    <LinkButton to={withNext('/user/signin', next)} variant={variant} className="mt-6">
      Log in
    </LinkButton>
  )
}

/**
 * Whether the form's values pass `test`, followed as they are typed: for a button that is enabled only then. Also
 * sees what the browser filled in, or the person typed, before the page's script ran.
 */
export function useFormValidity(
  form: RefObject<HTMLFormElement | null>,
  test: (values: Record<string, FormDataEntryValue>) => boolean,
): boolean {
  const [passes, setPasses] = useState(false)
  useEffect(() => {
    const element = form.current
    if (!element) return
    const look = () => setPasses(test(Object.fromEntries(new FormData(element))))
    look()
    element.addEventListener('input', look)
    element.addEventListener('change', look)
    return () => {
      element.removeEventListener('input', look)
      element.removeEventListener('change', look)
    }
  }, [form, test])
  return passes
}
