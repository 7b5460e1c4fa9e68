import type { SignInAnswer } from '@befaqt/domain/api/account-api'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from './use-hydrated.ts'

type Props = { onDone: (answer: SignInAnswer) => Promise<void>; onFailure: (failure: unknown) => void }

/** Signs in with a passkey; not shown where the browser knows none. */
export function PasskeySignIn({ onDone, onFailure }: Props) {
  const [busy, setBusy] = useState(false)
  const usable = useHydrated() && typeof window.PublicKeyCredential === 'function'
  const signIn = async () => {
    setBusy(true)
    onFailure(null)
    try {
      const { signInWithPasskey } = await import('./passkey-calls.ts')
      await onDone(await signInWithPasskey())
    } catch (error) {
      onFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="quiet" disabled={!usable || busy} aria-busy={busy} onClick={() => void signIn()}>
      Login with a passkey
    </Button>
  )
}
