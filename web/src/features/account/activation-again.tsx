import { sendActivationAgain } from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { useSite } from '#web/root-data.ts'
import { failureText } from './failure-alert.tsx'
import { keepNext } from './kept-next.ts'
import { OutboxHint } from './mail-sent.tsx'
import { useNext } from './use-next.ts'

/** Where the pages are that mailed links lead to. */
export const activationLink = (publicUrl: string): string => `${publicUrl}/user/activate/`
export const resetLink = (publicUrl: string): string => `${publicUrl}/user/resetpassword/`

/** Offers another activation email when that is why the sign-in was refused. */
export function ActivationAgain({ failure, email }: { failure: unknown; email: string }) {
  const site = useSite()
  const next = useNext()
  const [answer, setAnswer] = useState('')
  const { busy, failure: unsent, run } = useCall()
  const waits =
    failure instanceof ShopError && failure.code === 'account.inactive' && failure.details.canResend
  if (!waits || !site) return null
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
