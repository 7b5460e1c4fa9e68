import { beginConfirmation, confirmIdentity } from '@befaqt/domain/api/endpoints/account'
import { ShopError } from '@befaqt/domain/errors'
import { type FormEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { OwnPasswordField } from './account-fields.tsx'

let asking: Promise<boolean> | undefined

/**
 * Asks over whatever page is shown for password or passkey, once for all calls that wait for it; what is typed on the page
 * stays. Resolves to whether it was confirmed. In a root of its own, since any call of any page may need it.
 */
export function askToConfirm(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    const before = document.activeElement
    const place = document.body.appendChild(document.createElement('div'))
    const root = createRoot(place)
    const end = (confirmed: boolean): void => {
      asking = undefined
      root.unmount()
      place.remove()
      if (before instanceof HTMLElement) before.focus()
      resolve(confirmed)
    }
    root.render(<ConfirmDialog onEnd={end} />)
  })
  return asking
}

/** One of the account's own passkeys, used now. Its code is fetched when it is wanted. */
async function usePasskeyNow(): Promise<void> {
  const { askPasskey } = await import('./passkey-calls.ts')
  const response = await askPasskey(() => callApi(beginConfirmation))
  await callApi(confirmIdentity, { body: { response } })
}

function ConfirmDialog({ onEnd }: { onEnd: (confirmed: boolean) => void }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const attempt = async (confirm: () => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await confirm()
      onEnd(true)
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = `${new FormData(event.currentTarget).get('password') ?? ''}`
    void attempt(() => callApi(confirmIdentity, { body: { password } }))
  }
  const wrong = failure instanceof ShopError ? failure.fields[0]?.message : undefined
  const message = failure instanceof Error ? failure.message : String(failure)
  return (
    <Dialog open title="Is it you?" onClose={() => onEnd(false)}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <p>This takes your password or a passkey again. You will not be asked for the next ten minutes.</p>
        {failure !== null && wrong === undefined && <Alert tone="bad">Error: {message}</Alert>}
        <OwnPasswordField autoFocus error={wrong} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" aria-disabled={busy}>
            {busy ? 'One moment…' : 'Confirm'}
          </Button>
          {typeof window.PublicKeyCredential === 'function' && (
            <Button variant="outline" aria-disabled={busy} onClick={() => void attempt(usePasskeyNow)}>
              Use a passkey
            </Button>
          )}
          <Button variant="outline" onClick={() => onEnd(false)}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
