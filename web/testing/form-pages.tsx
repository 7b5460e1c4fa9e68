import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { fetchJson } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useCall } from '#web/api/use-call.ts'
import { useDirty } from '#web/forms/dirty-guard.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useDraft, useKeptForm } from '#web/forms/use-kept-form.ts'

const Fish = z.object({
  title: z.string().min(3, 'title is too short').max(8, 'title is too long'),
  category: z.string().min(1, 'category is required'),
  notes: z.string().max(5, 'notes are too long'),
  boat: z.string(),
})

/** Sends what a form holds to where the test answers. */
const sendFish = (body: unknown) =>
  fetchJson<void>('/data/fish', { method: 'POST', body: JSON.stringify(body) })

const FieldError = ({ name, errors }: { name: string; errors: FieldErrors }) =>
  name in errors && <p data-error={name}>{errors[name]}</p>

function FishFields({ errors, title = '' }: { errors: FieldErrors; title?: string }) {
  return (
    <>
      <label>
        Title <input name="title" defaultValue={title} />
      </label>
      <FieldError name="title" errors={errors} />
      <label>
        Category
        <select name="category">
          <option value="">Choose</option>
          <option value="whole">Whole fish</option>
        </select>
      </label>
      <FieldError name="category" errors={errors} />
      <label>
        Notes <textarea name="notes" />
      </label>
      <FieldError name="notes" errors={errors} />
    </>
  )
}

/** `useForm`, with something sent beside its fields and a rule about something that is no field. */
export function FormPage() {
  const [hasPicture, setHasPicture] = useState(false)
  const rule = { name: 'pictures', message: 'a picture is required', broken: !hasPicture }
  const form = useForm(Fish, sendFish, { boat: 'Gannet' }, rule)
  return (
    <form aria-label="Fish" {...form.formProps}>
      <FishFields errors={form.errors} />
      <button type="button" onClick={() => setHasPicture(true)}>
        Add picture
      </button>
      <FieldError name="pictures" errors={form.errors} />
      {form.failure !== null && (
        <p role="alert">
          {userMessage(form.failure)}
          <button type="button" onClick={form.dismiss}>
            Dismiss
          </button>
        </p>
      )}
      <button type="submit">{form.busy ? 'Saving' : 'Save'}</button>
      <button type="button" onClick={form.reset}>
        Empty
      </button>
      <p role="status">{form.busy ? 'sending' : 'ready'}</p>
    </form>
  )
}

/** `useKeptForm`, folded away as on the pages of managers. */
export function DraftFormPage() {
  const form = useForm(Fish, sendFish, { boat: 'Gannet' })
  const { onChange, saved, confirm } = useKeptForm({ name: 'fish', form })
  return (
    <details>
      <summary>Fish</summary>
      <form aria-label="Fish" {...form.formProps} onChange={onChange}>
        <FishFields errors={form.errors} title="Snapper" />
        <label>
          Password <input name="password" type="password" />
        </label>
        <label>
          <input name="frozen" type="checkbox" /> Frozen
        </label>
        <button type="button" onClick={saved}>
          Was saved
        </button>
        <button type="button" onClick={() => confirm(form.reset)}>
          Cancel
        </button>
      </form>
    </details>
  )
}

function DirtyField({ name }: { name: string }) {
  const [text, setText] = useState('')
  const { setDirty } = useDirty(name, () => setText(''))
  return (
    <label>
      {name}
      <input
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setDirty(target.value !== '')
        }}
      />
    </label>
  )
}

/** `DirtyGuard` with two forms, one of which can be taken away. */
export function TwoFormsPage() {
  const [hasSecond, setHasSecond] = useState(true)
  return (
    <>
      <DirtyField name="First" />
      {hasSecond && <DirtyField name="Second" />}
      <button type="button" onClick={() => setHasSecond(false)}>
        Take the second away
      </button>
      <Link to="?sort=price">Sort</Link>
    </>
  )
}

/** `useDraft` and `useCall`: a list of boxes that is sent as one. */
export function DraftPage() {
  const form = useDraft('boxes', (): readonly string[] => ['B1'])
  const call = useCall()
  const send = async () => {
    await sendFish(form.draft)
    form.saved()
  }
  return (
    <>
      <p>{form.draft.join(' ')}</p>
      <button type="button" onClick={() => form.change([...form.draft, `B${form.draft.length + 1}`])}>
        Add a box
      </button>
      <button type="button" onClick={() => void call.run(send)}>
        {call.busy ? 'Saving' : 'Save'}
      </button>
      <button type="button" onClick={form.discard}>
        Discard
      </button>
      {call.failure !== null && (
        <p role="alert">
          {userMessage(call.failure)}
          <button type="button" onClick={call.dismiss}>
            Dismiss
          </button>
        </p>
      )}
    </>
  )
}
