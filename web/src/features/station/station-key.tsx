import { useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'

type Props = { problem: string | null; ready: boolean; onKey: (key: string) => void }

/** Asks for the key of this station, once. */
export function StationKey({ problem, ready, onKey }: Props) {
  const [error, setError] = useState<string>()
  const submit = (data: FormData) => {
    const key = String(data.get('key') ?? '').trim()
    setError(key === '' ? 'The key is required.' : undefined)
    if (key !== '') onKey(key)
  }
  return (
    <form
      aria-label="Set up this station"
      className="grid max-w-xl gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(new FormData(event.currentTarget))
      }}
    >
      {problem && <Alert tone="bad">{problem}</Alert>}
      <InputField
        label="Key of this station"
        name="key"
        type="password"
        autoComplete="off"
        error={error}
        hint="A manager makes it, for sending readings and results only. This browser remembers it until you press ‘Forget the key’."
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={!ready}>
          Open the station
        </Button>
        <ButtonLink to="/user/signin?next=/station" variant="link">
          Log in as a manager instead
        </ButtonLink>
      </div>
    </form>
  )
}
