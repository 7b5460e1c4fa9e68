import { type ComponentProps, type ReactNode, useId } from 'react'

const control =
  'min-h-11 w-full rounded-md border border-edge bg-surface px-3 py-2 text-ink placeholder:text-slate aria-invalid:border-2 aria-invalid:border-bad'

type Around = { label: ReactNode; hint?: ReactNode; error?: string | undefined }
type Ids = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/** Label above, hint and what is wrong below, tied to the control for screen readers. */
function Labelled({ label, hint, error, children }: Around & { children: (ids: Ids) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="font-semibold text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}

/** One line of text with its label. */
export function InputField({
  label,
  hint,
  error,
  className = '',
  ...rest
}: ComponentProps<'input'> & Around) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(ids) => <input className={`${control} ${className}`} {...ids} {...rest} />}
    </Labelled>
  )
}

/** A choice from a list with its label; `children` are the options. */
export function SelectField({
  label,
  hint,
  error,
  className = '',
  ...rest
}: ComponentProps<'select'> & Around) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(ids) => <select className={`${control} ${className}`} {...ids} {...rest} />}
    </Labelled>
  )
}

/** Several lines of text with their label. */
export function TextAreaField({
  label,
  hint,
  error,
  className = '',
  ...rest
}: ComponentProps<'textarea'> & Around) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(ids) => <textarea className={`${control} ${className}`} {...ids} {...rest} />}
    </Labelled>
  )
}

/** A checkbox with its label, 44 px high as a whole. */
export function CheckboxField({
  label,
  className = '',
  ...rest
}: ComponentProps<'input'> & { label: ReactNode }) {
  return (
    <label className={`flex min-h-11 items-center gap-3 ${className}`}>
      <input type="checkbox" className="size-5 shrink-0 accent-teal" {...rest} />
      {label}
    </label>
  )
}
