import { useEffect, useRef } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { InputField } from '#web/components/field.tsx'

type Props = {
  /** Names the part of the page. */
  title: string
  /** What it is, as a sentence. */
  says: string
  label: string
  secret: string
  hint?: string
  onKept: () => void
}

/** The only time that a secret can be read: to be copied to the machine that will use it. */
export function SecretOnce({ title, says, label, secret, hint, onKept }: Props) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={title}
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:p-6"
    >
      <Alert tone="good">{says} Copy it now: it is shown only once.</Alert>
      <InputField
        label={label}
        className="font-mono text-sm"
        value={secret}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        hint={hint}
      />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret} />
        <Button onClick={onKept}>I’ve saved it</Button>
      </div>
    </section>
  )
}
