import { ShopError } from '@befaqt/domain/errors'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { userMessage } from '#web/api/hydration.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { CheckboxField, InputField } from '#web/components/field.tsx'
import { Icon } from '#web/components/icon.tsx'
import { ScrollRegion } from '#web/components/table.tsx'
import { LogInBeside } from '#web/features/account/log-in-again.tsx'
import { isNarrowed } from './read.ts'

type Props = { message: string; onDismiss?: () => void; children?: ReactNode }

/** The red banner of spec §2: 'Error: {message}'; `children` is what can be done about it. */
export function ErrorBanner({ message, onDismiss, children }: Props) {
  return (
    <Alert tone="bad" className="mb-4" {...(onDismiss && { onDismiss })}>
      <p>Error: {message}</p>
      {children}
    </Alert>
  )
}

export const isLoggedOut = (error: unknown): boolean =>
  error instanceof ShopError && error.code === 'auth.required'

/** What to do after a session that ended: what was typed can be saved again. */
export const LogInAgain = () => <LogInBeside then="save again" />

/** Why what was sent was refused; after a session that ended with the way to log in and send it again. */
export const FailureBanner = ({ error, onDismiss }: { error: unknown; onDismiss?: () => void }) => (
  <ErrorBanner message={userMessage(error)} {...(onDismiss && { onDismiss })}>
    {isLoggedOut(error) && <LogInAgain />}
  </ErrorBanner>
)

/** What was done last. Above a list it gets a height, so that no row moves when it is told. */
export const StatusMessage = ({ message, className = '' }: { message: string; className?: string }) => (
  <p role="status" className={`text-good ${className}`}>
    {message}
  </p>
)

type ActionsProps = {
  ready: boolean
  busy: boolean
  save?: string | undefined
  onCancel?: (() => void) | undefined
  cancel?: string | undefined
}

/** Save and Cancel below a form. */
export function FormActions({ ready, busy, save = 'Save', onCancel, cancel = 'Cancel' }: ActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant="primary" disabled={!ready} aria-busy={busy}>
        {busy ? 'One moment…' : save}
      </Button>
      {onCancel && (
        <Button variant="outline" onClick={onCancel}>
          {cancel}
        </Button>
      )}
    </div>
  )
}

/** How much of an upload has left, from 0 to 1. */
export const UploadProgress = ({ progress, what = 'pictures' }: { progress: number; what?: string }) => (
  <label className="flex items-center gap-3 text-slate">
    Uploading {what}
    <progress className="h-3 w-40 accent-teal" value={progress} max={1} />
    <span>{Math.round(progress * 100)}%</span>
  </label>
)

type TickedProps<Name extends string> = {
  legend: string
  names: readonly Name[]
  words: Readonly<Record<Name, string>>
  error: string | undefined
}

/** Things to tick, each with what it means and the name by which machines know it. */
export function TickedNames<Name extends string>({ legend, names, words, error }: TickedProps<Name>) {
  const id = useId()
  return (
    <fieldset className="grid gap-1" aria-describedby={error ? id : undefined}>
      <legend className="font-semibold">{legend}</legend>
      {names.map((name) => (
        <CheckboxField
          key={name}
          name={name}
          label={
            <span>
              {words[name]} <code className="muted">{name}</code>
            </span>
          }
        />
      ))}
      {error && (
        <p id={id} className="font-semibold text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type ConfirmProps = {
  /** What the button says. */
  action: string
  /** What the button says that leaves it. */
  cancel?: string
  /** Does it; what it rejects with is shown, and it can be tried again. Gets what was entered in `children`. */
  onConfirm: (entered: FormData) => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A question before something is done, for a dialog. */
export function Confirm({ action, cancel, onConfirm, onClose, children }: ConfirmProps) {
  const { busy, failure, run } = useCall()
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const entered = new FormData(event.currentTarget)
        void run(() => onConfirm(entered))
      }}
    >
      {failure !== null && <FailureBanner error={failure} />}
      {children}
      <FormActions ready busy={busy} save={action} onCancel={onClose} cancel={cancel} />
    </form>
  )
}

type SecretProps = {
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
export function SecretOnce({ title, says, label, secret, hint, onKept }: SecretProps) {
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

/** Lines of a file that are shown. */
export const MAX_SHOWN = 100

type Line = { line: number; path: string; message: string }

type BadLinesProps = { label: string; heading: string; lines: readonly Line[]; text: (line: Line) => string }

/** What is wrong with a file, line by line; of many the first. */
export const BadLines = ({ label, heading, lines, text }: BadLinesProps) => (
  <ScrollRegion
    aria-label={label}
    className="max-h-64 overflow-y-auto rounded-md border-bad border-l-4 bg-bad-ice p-4"
  >
    <h3 className="mb-2 font-semibold text-bad text-lg">{heading}</h3>
    <ul className="grid gap-1">
      {lines.slice(0, MAX_SHOWN).map((line) => (
        <li key={`${line.line} ${line.path} ${line.message}`} className="wrap-anywhere">
          <b className="font-semibold">Line {line.line}</b>: {text(line)}
        </li>
      ))}
    </ul>
    {lines.length > MAX_SHOWN && (
      <p className="mt-2">and {(lines.length - MAX_SHOWN).toLocaleString('en')} more</p>
    )}
  </ScrollRegion>
)

type CreateProps = {
  title: string
  /** The list below has nothing in it. */
  empty: boolean
  /** The form holds what was typed before the page was loaded anew. */
  isTyped?: boolean
  children: ReactNode
}

const FIRST_FIELD = 'form :is(input:not([type=hidden]), select, textarea)'

/**
 * The form for something new, folded away until it is wanted; open where there is nothing yet. Who opens it types into its
 * first field at once.
 */
export function CreatePanel({ title, empty, isTyped = false, children }: CreateProps) {
  const [params] = useSearchParams()
  const [shown, setShown] = useState(empty && !isNarrowed(params))
  useEffect(() => {
    if (isTyped) setShown(true)
  }, [isTyped])
  return (
    <details
      open={shown}
      onToggle={({ currentTarget }) => {
        setShown(currentTarget.open)
        const isPressed = currentTarget.firstElementChild === document.activeElement
        if (currentTarget.open && isPressed) currentTarget.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
      }}
      className="group/add mb-8 rounded-lg border border-line bg-surface"
    >
      <summary className="flex min-h-14 items-center gap-3 rounded-lg px-4 hover:text-teal sm:px-6">
        <Icon name="plus" className="size-5 transition-transform group-open/add:rotate-45" />
        <h2 className="text-xl">{title}</h2>
      </summary>
      <div className="px-4 pt-2 pb-6 sm:px-6">{children}</div>
    </details>
  )
}
