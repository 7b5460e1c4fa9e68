import { ShopError } from '@befaqt/domain/errors'
import { type FormEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { useAfterPress } from './use-after-press.ts'
import { useHydrated } from './use-hydrated.ts'

/** What is wrong with each field, by its name. */
export type FieldErrors = Readonly<Record<string, string>>

type Schema<Output = unknown> = z.ZodType<Output, unknown>
/** A form's schema, or how to fetch it when the form is first used. */
type Source<Output> = Schema<Output> | (() => Promise<Schema<Output>>)
type Values = Record<string, FormDataEntryValue>

const schemaFrom = async <Output>(source: Source<Output>): Promise<Schema<Output>> =>
  typeof source === 'function' ? source() : source

/** Something that must hold beside the fields, for example that there is a picture. */
type Rule = { name: string; message: string; broken: boolean }

const valuesOf = (form: HTMLFormElement): Values => Object.fromEntries(new FormData(form))

/** First complaint about each field, and that a rule is broken. */
function errorsOf(schema: Schema, values: unknown, rule: Rule | undefined): FieldErrors {
  const issues = schema.safeParse(values).error?.issues ?? []
  const errors = issues.toReversed().map((issue) => [String(issue.path[0] ?? ''), issue.message])
  return Object.fromEntries(rule?.broken ? [...errors, [rule.name, rule.message]] : errors)
}

/** Errors without that of a rule that is kept by now. */
const stillWrong = (errors: FieldErrors, rule: Rule | undefined): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).filter(
      ([name, message]) => !rule || rule.broken || name !== rule.name || message !== rule.message,
    ),
  )

const fieldErrorsOf = (error: unknown): FieldErrors =>
  error instanceof ShopError
    ? Object.fromEntries(error.fields.toReversed().map(({ path, message }) => [path, message]))
    : {}

function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const bad = [...form.elements].find(
    (element) =>
      element instanceof HTMLInputElement &&
      errors[element.name || (element.dataset.field ?? '')] !== undefined,
  )
  if (bad instanceof HTMLElement) bad.focus()
}

/** Fields that the person, or the browser, has filled and left. */
const leftFields = (form: HTMLFormElement): string[] =>
  [...form.elements].flatMap((element) =>
    element instanceof HTMLInputElement &&
    element.value !== element.defaultValue &&
    element !== document.activeElement
      ? [element.name]
      : [],
  )

/** Checks a field when it is left, also before the page's script ran, and what is wrong already at each key. */
function useFieldCheck(source: Source<unknown>, more: Record<string, unknown>, rule: Rule | undefined) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const afterPress = useAfterPress()
  const begun = useRef(false)
  const show = (schema: Schema, names: string[]) =>
    setErrors((before) => {
      const watched = [...Object.keys(before), ...names]
      if (watched.length === 0 || !form.current) return before
      const now = errorsOf(schema, { ...more, ...valuesOf(form.current) }, rule)
      return Object.fromEntries(Object.entries(now).filter(([name]) => watched.includes(name)))
    })
  /** Without a schema nothing is said yet: sending the form says why. */
  const watch = (names: string[]) =>
    schemaFrom(source).then(
      (schema) => afterPress(() => show(schema, names)),
      () => undefined,
    )
  useEffect(() => {
    if (begun.current || !form.current) return
    begun.current = true
    const left = leftFields(form.current)
    if (left.length > 0) void watch(left)
  })
  const check = ({ target }: SyntheticEvent, leaving: boolean) => {
    if (target instanceof HTMLInputElement) void watch(leaving && target.value !== '' ? [target.name] : [])
  }
  const fieldProps = {
    ref: form,
    onFocus: () => void schemaFrom(source).catch(() => undefined),
    onBlur: (event: SyntheticEvent) => check(event, true),
    onInput: (event: SyntheticEvent) => check(event, false),
  }
  return { errors, setErrors, fieldProps }
}

/** A form as `useForm` runs it. */
export type Form = ReturnType<typeof useForm>

/**
 * A form that is checked by the schema that the server parses with. Its fields keep what was typed before the
 * page's script ran. A field is checked when it is left, and again at each key once something was wrong with it.
 * @param source the schema, or how to fetch it: asked when the form takes the focus
 * @param more what is sent beside the fields
 * @param rule told together with what is wrong with the fields
 * @param send makes the call; what it throws is shown: at its fields, or in `failure`
 */
export function useForm<Output>(
  source: Source<Output>,
  send: (input: Output) => Promise<void>,
  more: Record<string, unknown> = {},
  rule?: Rule,
) {
  const { errors, setErrors, fieldProps } = useFieldCheck(source, more, rule)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const hydrated = useHydrated()

  const complain = (form: HTMLFormElement, wrong: FieldErrors) => {
    setErrors(wrong)
    focusFirst(form, wrong)
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (busy) return
    setFailure(null)
    setBusy(true)
    const typed = { ...more, ...valuesOf(form) }
    try {
      const schema = await schemaFrom(source)
      const parsed = schema.safeParse(typed)
      if (!parsed.success || rule?.broken) return complain(form, errorsOf(schema, typed, rule))
      setErrors({})
      await send(parsed.data)
    } catch (error) {
      setFailure(error)
      complain(form, fieldErrorsOf(error))
    } finally {
      setBusy(false)
    }
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => void submit(event)
  const formProps = { ...fieldProps, method: 'post', noValidate: true, onSubmit } as const
  const dismiss = () => setFailure(null)
  return {
    errors: stillWrong(errors, rule),
    failure,
    busy,
    dismiss,
    fail: setFailure,
    ready: hydrated && !busy,
    formProps,
  }
}
