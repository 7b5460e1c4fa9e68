import { type FormEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { useHydrated } from '#web/components/hydration.tsx'
import { type Control, isControl } from './controls.ts'
import {
  type FieldErrors,
  isAbout,
  ofFields,
  schemaErrors,
  serverErrors,
  withoutField,
} from './field-errors.ts'

type Schema<Output = unknown> = z.ZodType<Output, unknown>
/** A form's schema, or how to fetch it when the form is first used. */
type Source<Output> = Schema<Output> | (() => Promise<Schema<Output>>)
type Values = Record<string, FormDataEntryValue>

const schemaFrom = async <Output>(source: Source<Output>): Promise<Schema<Output>> =>
  typeof source === 'function' ? source() : source

/** Something that must hold beside the fields, for example that there is a picture. */
type Rule = { name: string; message: string; broken: boolean }

const valuesOf = (form: HTMLFormElement): Values => Object.fromEntries(new FormData(form))

/** What a control is called in errors: one without a name of its own says it in `data-field`. */
const fieldOf = (control: Control): string => control.name || (control.dataset.field ?? '')

const errorsOf = (schema: Schema, values: unknown, rule: Rule | undefined): FieldErrors => ({
  ...schemaErrors(schema, values),
  ...(rule?.broken && { [rule.name]: rule.message }),
})

/** Errors without that of a rule that is kept by now. */
const stillWrong = (errors: FieldErrors, rule: Rule | undefined): FieldErrors =>
  rule && !rule.broken && errors[rule.name] === rule.message ? withoutField(errors, rule.name) : errors

function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const paths = Object.keys(errors)
  const wrong = [...form.elements].find(
    (element) => isControl(element) && paths.some((path) => isAbout(path, fieldOf(element))),
  )
  if (wrong instanceof HTMLElement) wrong.focus()
}

/** Fields that the person, or the browser, has filled and left. */
const leftFields = (form: HTMLFormElement): string[] =>
  [...form.elements].flatMap((element) =>
    isControl(element) &&
    !(element instanceof HTMLSelectElement) &&
    element.value !== element.defaultValue &&
    element !== document.activeElement
      ? [element.name]
      : [],
  )

/** Checks a field when it is left, also before the page's script ran, and what is wrong already at each key. */
function useFieldCheck(
  source: Source<unknown>,
  more: Record<string, unknown>,
  rule: Rule | undefined,
  failed: unknown,
) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [refused, setRefused] = useState<FieldErrors>(() => serverErrors(failed))
  const afterPointerUp = usePointerUpDeferral()
  const begun = useRef(false)
  const show = (schema: Schema, names: string[]) =>
    setErrors((before) => {
      const watched = [...Object.keys(before), ...names]
      if (watched.length === 0 || !form.current) return before
      return ofFields(errorsOf(schema, { ...more, ...valuesOf(form.current) }, rule), watched)
    })
  /** Without a schema nothing is said yet: sending the form says why. */
  const watch = (names: string[]) =>
    schemaFrom(source).then(
      (schema) => afterPointerUp(() => show(schema, names)),
      () => undefined,
    )
  useEffect(() => {
    if (begun.current || !form.current) return
    begun.current = true
    const left = leftFields(form.current)
    if (left.length > 0) void watch(left)
  })
  const onBlur = ({ target }: SyntheticEvent) => {
    if (isControl(target)) void watch(target.value === '' ? [] : [target.name])
  }
  const onInput = ({ target }: SyntheticEvent) => {
    if (!isControl(target)) return
    setRefused((before) => withoutField(before, fieldOf(target)))
    void watch([])
  }
  const onFocus = () => void schemaFrom(source).catch(() => undefined)
  const clear = () => {
    setErrors({})
    setRefused({})
  }
  return {
    errors: { ...refused, ...errors },
    setErrors,
    setRefused,
    clear,
    fieldProps: { ref: form, onFocus, onBlur, onInput },
  }
}

/** A form as `useForm` runs it. */
export type Form = ReturnType<typeof useForm>

/**
 * A form that is checked by the schema that the server parses with. Its fields keep what was typed before the
 * page's script ran. A field is checked when it is left, and again at each key once something was wrong with it;
 * what the server refused of it stands until it is changed.
 * @param source the schema, or how to fetch it: asked when the form takes the focus
 * @param send makes the call; what it throws is shown: at its fields, and in `failure`
 * @param more what is sent beside the fields
 * @param rule told together with what is wrong with the fields
 * @param failed why the server refused the form already, before the page's script ran; null when it did not
 */
export function useForm<Output>(
  source: Source<Output>,
  send: (input: Output) => Promise<void>,
  more: Record<string, unknown> = {},
  rule?: Rule,
  failed: unknown = null,
) {
  const { errors, setErrors, setRefused, clear, fieldProps } = useFieldCheck(source, more, rule, failed)
  const [failure, setFailure] = useState(failed)
  const [busy, setBusy] = useState(false)
  /** Set at once, while `busy` waits for the next drawing: what is pressed again meanwhile is the same press. */
  const running = useRef(false)
  const hydrated = useHydrated()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (running.current) return
    running.current = true
    setFailure(null)
    setBusy(true)
    const typed = { ...more, ...valuesOf(form) }
    try {
      const schema = await schemaFrom(source)
      const parsed = schema.safeParse(typed)
      if (!parsed.success || rule?.broken) {
        const wrong = errorsOf(schema, typed, rule)
        setErrors(wrong)
        return focusFirst(form, wrong)
      }
      clear()
      await send(parsed.data)
    } catch (error) {
      const refused = serverErrors(error)
      setFailure(error)
      setRefused(refused)
      focusFirst(form, refused)
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => void submit(event)
  const formProps = { ...fieldProps, method: 'post', noValidate: true, onSubmit } as const
  return {
    errors: stillWrong(errors, rule),
    failure,
    busy,
    dismiss: () => setFailure(null),
    fail: setFailure,
    /** Empties the form, and forgets what was wrong with it. */
    reset: () => {
      fieldProps.ref.current?.reset()
      setFailure(null)
      clear()
    },
    /** Whether the page's script runs. It is so while a form sends, too: a button that is disabled then loses the focus. */
    ready: hydrated,
    formProps,
  }
}

/**
 * Runs something now, or once the pressed pointer is lifted: what moves the page while a button is pressed makes
 * the press miss it.
 */
function usePointerUpDeferral(): (work: () => void) => void {
  const pressed = useRef(false)
  useEffect(() => {
    const down = () => {
      pressed.current = true
    }
    const up = () => {
      pressed.current = false
    }
    window.addEventListener('pointerdown', down, true)
    window.addEventListener('pointerup', up, true)
    window.addEventListener('pointercancel', up, true)
    return () => {
      window.removeEventListener('pointerdown', down, true)
      window.removeEventListener('pointerup', up, true)
      window.removeEventListener('pointercancel', up, true)
    }
  }, [])
  return (work) => {
    if (!pressed.current) return work()
    window.addEventListener('pointerup', () => setTimeout(work), { once: true })
  }
}
