import { ComplaintInput } from '@befaqt/domain/api/complaint-api'
import { complain } from '@befaqt/domain/api/endpoints/order-page'
import { allWishes, allWrongs, MAX_WORDS, type Wish, wishes, wrongs } from '@befaqt/domain/complaint'
import { ShopError } from '@befaqt/domain/errors'
import { preparedTitle } from '@befaqt/domain/preparation'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'
import { upload } from '#web/api/upload.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Choice } from '#web/components/choice.tsx'
import { CheckboxField, TextAreaField } from '#web/components/field.tsx'
import { DirtyGuard, useDirtyGuard } from '#web/forms/dirty-guard.tsx'
import { type FieldErrors, schemaErrors, serverErrors } from '#web/forms/field-errors.ts'
import { useDraft } from '#web/forms/use-kept-form.ts'
import { type ActionProps, callInput } from '../order-calls.ts'
import { type Photo, PhotoChoice } from './photo-choice.tsx'
import { EatNoMore } from './told.tsx'

type Props = ActionProps & {
  busy: boolean
  failure: unknown
  run: (call: () => Promise<unknown>) => Promise<boolean>
  onClose: () => void
}

/** What a buyer says is wrong with an order, with photos. Fetched when it is asked for. */
export default function ComplaintForm(props: Props) {
  return (
    <DirtyGuard>
      <Form {...props} />
    </DirtyGuard>
  )
}

type Draft = { lines: number[]; wrong: ComplaintInput['wrong']; words: string; wish: Wish }
const untouched = (): Draft => ({ lines: [], wrong: [], words: '', wish: 'refund' })

/** The list with this in it, or without it, in the order of `all`. */
const toggled = <Value,>(all: readonly Value[], list: readonly Value[], one: Value): Value[] =>
  all.filter((other) => (other === one ? !list.includes(other) : list.includes(other)))

const FORM = 'complaint'

function Form({ busy, failure, run, onClose, ...about }: Props) {
  const { lines } = about.order
  const { draft, change, saved, discard } = useDraft(`${FORM} ${about.order._id}`, untouched)
  const guard = useDirtyGuard()
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const [errors, setErrors] = useState<FieldErrors>({})
  const [progress, setProgress] = useState<number | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const refused = { ...serverErrors(failure), ...errors }
  const there = lines.filter(({ leftOut }) => leftOut === null)

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const wrong = schemaErrors(ComplaintInput, draft)
    setErrors(wrong)
    const [first] = Object.keys(wrong)
    if (first !== undefined)
      return form.current?.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus()
    void run(async () => {
      const body = new FormData()
      body.append('complaint', JSON.stringify(draft))
      for (const { file } of photos) body.append('photos', file)
      setProgress(0)
      try {
        await upload(complain, { ...callInput(about), body }, setProgress)
        saved()
      } catch (error) {
        // It came the time before, and its answer was lost: it is shown in place of this form.
        if (error instanceof ShopError && error.code === 'conflict') saved()
        throw error
      } finally {
        setProgress(null)
      }
    }).then((isDone) => isDone && onClose())
  }
  const leave = () =>
    guard.confirm(`${FORM} ${about.order._id}`, () => {
      discard()
      onClose()
    })

  return (
    <form
      ref={form}
      noValidate
      onSubmit={send}
      aria-labelledby="complaint-form"
      className="grid gap-6 rounded-lg border border-line p-4 sm:p-6"
    >
      <h3 id="complaint-form" ref={heading} tabIndex={-1} className="text-xl">
        Say what is wrong
      </h3>
      <fieldset>
        <legend className="font-semibold">What is it about?</legend>
        <p className="muted">Nothing chosen: the whole order.</p>
        {there.map(({ position, title, preparation }) => (
          <CheckboxField
            key={position}
            label={<span className="min-w-0 wrap-anywhere">{preparedTitle(title, preparation?.kind)}</span>}
            checked={draft.lines.includes(position)}
            onChange={() =>
              change({
                ...draft,
                lines: toggled(
                  there.map((line) => line.position),
                  draft.lines,
                  position,
                ),
              })
            }
          />
        ))}
      </fieldset>
      <fieldset aria-describedby={refused.wrong ? 'wrong-error' : undefined}>
        <legend className="font-semibold">What is wrong?</legend>
        {allWrongs.map((one, i) => (
          <CheckboxField
            key={one}
            label={wrongs[one]}
            {...(i === 0 && { 'data-field': 'wrong' })}
            checked={draft.wrong.includes(one)}
            onChange={() => change({ ...draft, wrong: toggled(allWrongs, draft.wrong, one) })}
          />
        ))}
        {refused.wrong && (
          <p id="wrong-error" className="font-semibold text-bad text-sm">
            {refused.wrong}
          </p>
        )}
      </fieldset>
      <EatNoMore wrong={draft.wrong} />
      <TextAreaField
        label="In your words"
        data-field="words"
        rows={4}
        maxLength={MAX_WORDS}
        value={draft.words}
        error={refused.words}
        onChange={({ currentTarget }) => change({ ...draft, words: currentTarget.value })}
      />
      <PhotoChoice photos={photos} errors={refused} onChange={setPhotos} />
      <Choice
        legend="What do you wish?"
        name="wish"
        choices={allWishes.map((wish) => [wish, wishes[wish]] as const)}
        value={draft.wish}
        onChange={(wish) => change({ ...draft, wish })}
      />
      {failure !== null && (
        <Alert tone="bad">
          <p className="font-semibold">Nothing was sent. What you wrote and chose is still here.</p>
          <p className="wrap-anywhere">{userMessage(failure)}</p>
        </Alert>
      )}
      {progress !== null && (
        <label className="flex flex-wrap items-center gap-3 text-slate">
          {progress < 1 ? 'Sending' : 'Looking at the photos'}
          <progress className="h-3 w-40 accent-teal" value={progress} max={1} />
        </label>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-busy={busy}>
          {busy ? 'One moment…' : 'Send'}
        </Button>
        <Button variant="outline" onClick={leave}>
          Not now
        </Button>
      </div>
    </form>
  )
}
