import { previewSiteEmail, previewSiteText, saveSitePart } from '@befaqt/domain/api/endpoints/manage'
import { ShopError } from '@befaqt/domain/errors'
import type { SitePart } from '@befaqt/domain/site-settings'
import { useLayoutEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { type Conflict, conflictsOf, merged } from '#web/forms/draft.ts'
import { type FieldErrors, isAbout, serverErrors, withoutField } from '#web/forms/field-errors.ts'
import { useDraft } from '#web/forms/use-kept-form.ts'
import { ConflictForm } from '../edited-list/failure-notices.tsx'
import { ErrorBanner, FailureBanner, FormActions } from '../form-parts.tsx'
import { valueText } from '../list/differences.ts'
import { AreasField } from './areas-field.tsx'
import { PartnersField } from './partners-field.tsx'
import { PreviewDialog, type Shown } from './preview-dialog.tsx'
import {
  changedLines,
  formOf,
  type PartField,
  type Partner,
  type PartValues,
  parsePart,
  type TypedArea,
  valuesOf,
} from './site-values.ts'

const inputType = (type: PartField['type']) =>
  type === 'email' || type === 'tel' || type === 'url' ? type : 'text'

type Props = {
  part: SitePart
  onSaved: (part: SitePart, kept: boolean) => Promise<void>
  onTaken: () => void
}

/** What is made of a part, and the version that it began with. */
type Draft = { base: SitePart; values: PartValues }

type Clash = { theirs: SitePart; fields: readonly Conflict[] }

/** How often a save is tried again over what others saved meanwhile in other fields. */
const MAX_TRIES = 5

/** The form of one part of the site. What is typed stays until it is saved or discarded. */
export function PartForm({ part: read, onSaved, onTaken }: Props) {
  const { key } = read
  const [saved, setSaved] = useState<SitePart | null>(null)
  /** What was saved here is newer than what the page has read until it was read again. */
  const part = saved !== null && saved.version > read.version ? saved : read
  const { title, fields } = formOf(key)
  const form = useRef<HTMLFormElement>(null)
  const hydrated = useHydrated()
  const { draft: typed, change, discard } = useDraft<Draft | null>(`site ${key}`, () => null)
  const draft = typed ?? { base: part, values: valuesOf(key, part.value) }
  /** As it is typed now: more than what was sent, where somebody types on while the shop answers. */
  const latest = useRef(typed)
  useLayoutEffect(() => {
    latest.current = typed
  })
  const [errors, setErrors] = useState<FieldErrors>({})
  const [clash, setClash] = useState<Clash | null>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const { busy, failure, run, dismiss } = useCall()
  const focusWrong = () =>
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())

  const send = async () => {
    let { base, values } = draft
    for (let tries = 1; ; tries++) {
      const { input, errors: wrong } = parsePart(base, values)
      setErrors(wrong ?? {})
      if (input === null) return focusWrong()
      try {
        const made = await callApi(saveSitePart, { body: input, version: base.version })
        setSaved(made)
        const now = latest.current
        if (now === null || now === typed) discard()
        else change({ base: made, values: merged(draft.values, now.values, valuesOf(key, made.value)) })
        return await onSaved(made, base !== draft.base)
      } catch (error) {
        const theirs = theirsOf(error)
        if (theirs === null || tries === MAX_TRIES) throw error
        const [began, now] = [valuesOf(key, base.value), valuesOf(key, theirs.value)]
        const conflicts = conflictsOf(began, values, now)
        if (conflicts.length > 0) return setClash({ theirs, fields: conflicts.map(inBrief) })
        values = merged(began, values, now)
        base = theirs
      }
    }
  }

  const submit = () =>
    run(async () => {
      setClash(null)
      try {
        await send()
      } catch (error) {
        setErrors(serverErrors(error))
        focusWrong()
        throw error
      }
    })

  const preview = () =>
    run(async () => {
      const { input, errors: wrong } = parsePart(draft.base, draft.values)
      setErrors(wrong ?? {})
      if (input === null) return focusWrong()
      if (input.part === 'text') setShown({ page: await callApi(previewSiteText, { body: input }) })
      if (input.part === 'email') setShown({ email: await callApi(previewSiteEmail, { body: input }) })
    })

  const keep = (takeTheirs: ReadonlySet<string>) => {
    if (clash === null) return
    const { theirs } = clash
    const began = valuesOf(key, draft.base.value)
    change({ base: theirs, values: merged(began, draft.values, valuesOf(key, theirs.value), takeTheirs) })
    setClash(null)
  }

  return (
    <div className="grid gap-4">
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      {clash && (
        <ErrorBanner
          message={`${clash.theirs.who ?? 'Somebody else'} changed this in the meantime. Nothing was saved.`}
        >
          <ConflictForm
            name={title}
            conflict={{ fields: clash.fields, by: 'others' }}
            valueText={(_, value) => valueText(value)}
            onKeep={keep}
            onTake={() => {
              setClash(null)
              discard()
              onTaken()
            }}
          />
        </ErrorBanner>
      )}
      <form
        ref={form}
        noValidate
        aria-label={title}
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {fields.map(({ name, label, hint, type, decimal }) => {
            const value = draft.values[name] ?? ''
            const set = (next: PartValues[string]) => {
              setErrors((before) => withoutField(before, name))
              change({ ...draft, values: { ...draft.values, [name]: next } })
            }
            const list = { errors, disabled: !hydrated, onChange: set }
            if (type === 'areas') return <AreasField key={name} areas={value as TypedArea[]} {...list} />
            if (typeof value !== 'string')
              return <PartnersField key={name} partners={value as Partner[]} {...list} />
            const around = {
              ...{ label, hint, name, value, autoComplete: 'off', disabled: !hydrated },
              error: Object.entries(errors).find(([path]) => isAbout(path, name))?.[1],
              onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
            }
            return type?.startsWith('text of') ? (
              <div key={name} className="sm:col-span-2">
                <TextAreaField
                  {...around}
                  rows={type === 'text of a page' ? 20 : 10}
                  className="font-mono text-sm"
                />
              </div>
            ) : (
              <InputField key={name} {...around} type={inputType(type)} inputMode={decimal && 'text'} />
            )
          })}
        </div>
        <div className="flex flex-wrap gap-3">
          <FormActions
            ready={hydrated}
            busy={busy}
            cancel="Discard what I typed"
            onCancel={typed === null ? undefined : discard}
          />
          {(part.value.part === 'text' || part.value.part === 'email') && (
            <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={() => void preview()}>
              Preview
            </Button>
          )}
        </div>
      </form>
      <PreviewDialog shown={shown} onClose={() => setShown(null)} />
    </div>
  )
}

/** Of a text the lines in which the two differ. */
const inBrief = ({ field, mine, theirs }: Conflict): Conflict => {
  if (field !== 'text') return { field, mine, theirs }
  const { from, to } = changedLines(String(mine), String(theirs))
  return { field, mine: from, theirs: to }
}

/** The part as it is, of a refusal as stale; null for any other failure. */
function theirsOf(error: unknown): SitePart | null {
  if (!(error instanceof ShopError) || error.code !== 'version.stale') return null
  return (error.details.current ?? null) as SitePart | null
}
