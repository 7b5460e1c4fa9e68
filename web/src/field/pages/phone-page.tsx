import type { FieldUser } from '@befaqt/domain/api/field-api'
import { hexOf } from '@befaqt/provenance/digest'
import { keyIdOf } from '@befaqt/provenance/signed/device-register'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useOnline } from '#web/components/use-online.ts'
import { trySending } from '../queue/sender.ts'
import { go, paths } from '../route.ts'
import { keepKey, useSigning } from '../signing/phone-key.ts'

/** Why no key was made. */
const failureText = (failure: unknown): string =>
  failure instanceof CannotSign
    ? `${failure.message} It can go on recording: its readings are shown as typed in.`
    : 'This phone could not keep a key. Free some space and try again.'

/** The page of a link by which this phone gets a key, so that what it sends counts as signed by a phone. */
export function PhonePage({ user, token }: { user: FieldUser; token: string }) {
  const found = useSigning(user)
  const online = useOnline()
  const { busy, failure, run } = useCall()
  if (found === null) return <Spinner label="Opening" />
  const { signing, key } = found
  const begin = async () => {
    await makeKey(user.userId, token)
    trySending(true)
  }
  if (signing.state === 'signs')
    return (
      <>
        <Alert tone="good">This phone signs its readings, as {signing.phone.name}.</Alert>
        <KeyId id={signing.phone.id} />
        <Button variant="primary" className="min-h-14 text-lg" onClick={() => go(paths.home)}>
          Go on
        </Button>
      </>
    )
  const isThisLink = key?.token === token
  if (signing.state === 'enrolling' && isThisLink)
    return (
      <>
        {online ? (
          <Spinner label="Registering this phone" />
        ) : (
          <Alert tone="info">This waits for coverage. You can go on recording meanwhile.</Alert>
        )}
        <KeyId id={key.id} />
      </>
    )
  const refused = signing.state === 'failed' && isThisLink ? signing.problem : null
  return (
    <>
      <p>
        Your phone makes a key that can’t leave it, and the shop registers it. Readings that it sends for{' '}
        {user.party} then count as signed by a phone.
      </p>
      {failure !== null && <Alert tone="bad">{failureText(failure)}</Alert>}
      {refused !== null && <Alert tone="bad">The shop did not register this phone: {refused}</Alert>}
      {signing.state === 'revoked' && isThisLink ? (
        <Alert tone="warn">The shop has revoked this phone’s key. Ask for a new link to sign again.</Alert>
      ) : (
        <Button
          variant="primary"
          className="min-h-14 text-lg"
          disabled={refused !== null}
          aria-busy={busy}
          onClick={() => void run(begin)}
        >
          {busy ? 'One moment…' : 'Let this phone sign'}
        </Button>
      )}
    </>
  )
}

/** What a manager sees of this phone’s key, to compare. */
const KeyId = ({ id }: { id: string }) => (
  <p className="muted">
    Its key is <code className="wrap-anywhere">{id}</code>
  </p>
)

/** This browser can make no key that signs. */
class CannotSign extends Error {
  override readonly name = 'CannotSign'
}

/**
 * Makes an account a key on this phone, to be registered by the link of this token. Its private half never leaves the
 * browser.
 * @throws CannotSign where there is no Ed25519, or no https
 */
async function makeKey(userId: string, token: string): Promise<void> {
  const { publicKey, privateKey } = await newPair()
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
  const key = { userId, id: keyIdOf(raw), publicKey: hexOf(raw), privateKey }
  await keepKey({ ...key, counter: 0, token, problem: null })
}

async function newPair(): Promise<CryptoKeyPair> {
  try {
    return await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  } catch (cause) {
    throw new CannotSign('This browser can’t sign: it has no Ed25519.', { cause })
  }
}
