import { confirmNotice, stopNotices } from '@befaqt/domain/api/endpoints/stock-notices'
import { useState } from 'react'
import { useParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureAlert } from '#web/features/account/account-form.tsx'
import { AccountLayout } from '#web/features/account/signed-out.tsx'

const acts = {
  confirm: {
    title: 'Shall we tell you?',
    asks: 'Press the button, and you get one email when it can be bought.',
    button: 'Yes, tell me',
    call: (token: string) => callApi(confirmNotice, { body: { token } }),
  },
  stop: {
    title: 'Stop emails',
    asks: 'Press the button, and nothing that this address waits for is sent any more.',
    button: 'Stop these emails',
    call: (key: string) => callApi(stopNotices, { params: { key } }),
  },
} as const

/** What the links of an email about stock lead to: one page for both, since each address costs bytes on all pages. */
export default function Notice() {
  const { act, token = '' } = useParams()
  const known = act === 'stop' ? 'stop' : 'confirm'
  return (
    <AccountLayout title={acts[known].title} needsScript>
      <Ask key={token} act={known} token={token} />
    </AccountLayout>
  )
}

/** Nothing is done until its button is pressed: programs that look for viruses open links, and some run the page's script. */
function Ask({ act, token }: { act: keyof typeof acts; token: string }) {
  const { asks, button, call } = acts[act]
  const [said, setSaid] = useState('')
  const { busy, failure, run, dismiss } = useCall()
  const hydrated = useHydrated()
  if (said !== '')
    return (
      <div role="status" className="grid justify-items-start gap-5">
        <p className="text-lg">{said}</p>
        <ButtonLink to="/product">See what is on the slab</ButtonLink>
      </div>
    )
  return (
    <div className="grid justify-items-start gap-5">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <p className="text-lg">{asks}</p>
      <Button
        variant="primary"
        disabled={!hydrated}
        aria-busy={busy}
        onClick={() => void run(async () => setSaid((await call(token)).message))}
        className="min-h-12"
      >
        {button}
      </Button>
    </div>
  )
}
