import { useEffect, useRef } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { Field } from '#web/components/field.tsx'

type Props = { name: string; secret: string; onKept: () => void }

/** The only time that a key can be read: to be copied to the machine that will use it. */
export function KeyShown({ name, secret, onKept }: Props) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={`The key ${name}`}
      className="mb-8 grid gap-4 rounded-lg border border-line bg-surface p-4 sm:p-6"
    >
      <Alert tone="good">The key {name} is made. Copy it now: it is shown only once.</Alert>
      <Field
        label="Key"
        className="font-mono text-sm"
        value={secret}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        hint="Machines send it as: Authorization: Bearer, then the key"
      />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret} />
        <Button onClick={onKept}>I have kept it</Button>
      </div>
    </section>
  )
}
