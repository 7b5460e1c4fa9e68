import type { FieldUser } from '@befaqt/domain/api/field-api'
import { Alert } from '#web/components/alert.tsx'
import type { Signing } from './signing.ts'
import { useSigning } from './use-signing.ts'

/** Whether this phone signs, where it was ever asked to: what is not signed goes on as typed in. */
export function SigningNote({ user }: { user: FieldUser }) {
  const found = useSigning(user)
  return found && <Note signing={found.signing} />
}

function Note({ signing }: { signing: Signing }) {
  if (signing.state === 'none') return null
  if (signing.state === 'signs')
    return <p className="text-slate">This phone signs its readings, as {signing.phone.name}.</p>
  if (signing.state === 'enrolling')
    return <Alert tone="info">This phone signs as soon as the shop has registered its key.</Alert>
  if (signing.state === 'failed')
    return <Alert tone="warn">This phone does not sign: {signing.problem}</Alert>
  return (
    <Alert tone="warn">
      The shop has revoked this phone’s key. Readings are sent unsigned from now on, and shown as typed in.
      Ask the shop for a new link to sign again.
    </Alert>
  )
}
