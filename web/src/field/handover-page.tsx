import type { FieldUser } from '@befaqt/domain/api/field-api'
import { isSameParty } from '@befaqt/domain/supplier'
import { parseDegrees } from '@befaqt/domain/typed-number'
import { useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { BoxField } from './parts/box-field.tsx'
import { Choice } from './parts/choice.tsx'
import { placeOf, positionText, usePosition } from './parts/position.ts'
import { type EntryForm, refusedFields, useEntry } from './parts/use-entry.ts'
import { useRemembered } from './parts/use-remembered.ts'
import type { Remembered } from './queue/database.ts'
import { remember } from './queue/user.ts'
import { go, paths } from './route.ts'

const directions = [
  ['give', 'I hand over'],
  ['take', 'I receive'],
] as const
const verdicts = [
  ['yes', 'Accepted'],
  ['no', 'Refused'],
] as const
/** Names of parties that are remembered, newest first. */
const MAX_RECENT = 5

type Props = { user: FieldUser; mend: string | null; box: string }

/** Records that a box changes hands, or is refused. */
export default function HandoverPage({ user, mend, box }: Props) {
  const remembered = useRemembered(user.userId)
  const form = useEntry(user, mend)
  if (remembered === null || form.mended === undefined) return <p className="py-8">Opening…</p>
  return <HandoverForm user={user} form={form} remembered={remembered} box={box} />
}

type FormProps = { user: FieldUser; form: EntryForm; remembered: Remembered; box: string }

function HandoverForm({ user, form, remembered, box: given }: FormProps) {
  const was = form.mended?.entry.kind === 'handover' ? form.mended.entry : null
  const [box, setBox] = useState(was?.box ?? given)
  const [direction, setDirection] = useState<'give' | 'take'>(
    was && isSameParty(was.to, user.party) ? 'take' : 'give',
  )
  const [other, setOther] = useState(
    was ? (isSameParty(was.to, user.party) ? was.from : was.to) : (remembered.to[0] ?? ''),
  )
  const [degrees, setDegrees] = useState(was?.temperature == null ? '' : String(was.temperature))
  const [accepted, setAccepted] = useState<'yes' | 'no'>(was?.accepted === false ? 'no' : 'yes')
  const [reason, setReason] = useState(was?.reason ?? '')
  const [wrongDegrees, setWrongDegrees] = useState<string>()
  const position = usePosition()
  const where = positionText(position)
  const errors = { ...refusedFields(form.mended), ...form.errors }
  const names = [...new Set([...remembered.to, ...user.parties])]
  const save = async () => {
    const temperature = degrees.trim() === '' ? null : parseDegrees(degrees)
    const isNumber = temperature === null || typeof temperature === 'number'
    setWrongDegrees(isNumber ? undefined : 'must be a number of degrees')
    if (!isNumber) return
    const place = was
      ? { latitude: was.latitude, longitude: was.longitude, accuracy: was.accuracy }
      : placeOf(position)
    const [from, to] = direction === 'give' ? [user.party, other] : [other, user.party]
    const said = { box, from, to, temperature, accepted: accepted === 'yes', reason }
    if (!(await form.save({ kind: 'handover', ...said, ...place }, null))) return
    const recent = [other, ...remembered.to.filter((name) => !isSameParty(name, other))].slice(0, MAX_RECENT)
    await remember(user.userId, { to: recent })
    go(`${paths.home}?saved=${encodeURIComponent(box)}`)
  }
  return (
    <form
      aria-label="Hand over"
      className="grid gap-6 pb-28"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {form.mended?.problem && <Alert tone="warn">The shop refused this: {form.mended.problem}</Alert>}
      <BoxField value={box} onChange={setBox} error={errors.box} />
      <Choice
        legend="Which way"
        name="direction"
        choices={directions}
        value={direction}
        onChange={setDirection}
      />
      <InputField
        label={direction === 'give' ? 'To whom' : 'From whom'}
        list="parties"
        className="min-h-14 text-lg"
        value={other}
        onChange={(event) => setOther(event.currentTarget.value)}
        error={direction === 'give' ? errors.to : errors.from}
        autoComplete="off"
        maxLength={200}
      />
      <datalist id="parties">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <InputField
        label="Probe temperature, °C (optional)"
        inputMode="text"
        className="min-h-14 text-lg"
        value={degrees}
        onChange={(event) => setDegrees(event.currentTarget.value)}
        error={wrongDegrees ?? errors.temperature}
        autoComplete="off"
      />
      <Choice legend="It was" name="accepted" choices={verdicts} value={accepted} onChange={setAccepted} />
      {(accepted === 'no' || reason !== '') && (
        <TextAreaField
          label={accepted === 'no' ? 'Why was it refused?' : 'Remark (optional)'}
          rows={3}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={errors.reason}
          maxLength={500}
        />
      )}
      <div className="fixed inset-x-0 bottom-0 z-10 border-line border-t bg-ground px-4 pt-2 pb-4">
        <div className="mx-auto grid max-w-xl gap-2">
          {form.failure && <Alert tone="bad">{form.failure}</Alert>}
          <p role="status" className={`text-sm ${where.isGood ? 'text-good' : 'text-warn'}`}>
            {was ? 'Time and place stay as they were.' : `Now. ${where.text}`}
          </p>
          <Button type="submit" variant="primary" className="min-h-14 text-lg" disabled={form.busy}>
            Save hand-over
          </Button>
        </div>
      </div>
    </form>
  )
}
