import type { FieldUser } from '@befaqt/domain/api/field-api'
import { parseDegrees } from '@befaqt/domain/box-values'
import { isSameParty } from '@befaqt/domain/supplier'
import { useState } from 'react'
import { Choice } from '#web/components/choice.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { BoxNumberField } from '#web/features/box/find/box-number-field.tsx'
import type { Remembered } from '../database.ts'
import { EntryForm, useEntryForm } from '../parts/entry-form.tsx'
import { type OpenEntry, useEntry } from '../parts/use-entry.ts'
import { remember, useRemembered } from '../queue/user.ts'
import { goHomeSaved } from '../route.ts'

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
export function HandoverPage({ user, mend, box }: Props) {
  const remembered = useRemembered(user.userId)
  const entry = useEntry(user, mend)
  if (remembered === null || entry.mended === undefined) return <p className="py-8">Opening…</p>
  return <HandoverForm user={user} entry={entry} remembered={remembered} box={box} />
}

type FormProps = { user: FieldUser; entry: OpenEntry; remembered: Remembered; box: string }

function HandoverForm({ user, entry, remembered, box: given }: FormProps) {
  const form = useEntryForm(entry, 'handover')
  const { was, errors, place } = form
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
  const names = [...new Set([...remembered.to, ...user.parties])]
  const save = async () => {
    const temperature = degrees.trim() === '' ? null : parseDegrees(degrees)
    const isNumber = temperature === null || typeof temperature === 'number'
    setWrongDegrees(isNumber ? undefined : 'must be a number of degrees')
    if (!isNumber) return
    const [from, to] = direction === 'give' ? [user.party, other] : [other, user.party]
    const said = { box, from, to, temperature, accepted: accepted === 'yes', reason }
    if (!(await entry.save({ kind: 'handover', ...said, ...place }, null))) return
    const recent = [other, ...remembered.to.filter((name) => !isSameParty(name, other))].slice(0, MAX_RECENT)
    await remember(user.userId, { to: recent })
    goHomeSaved(box)
  }
  return (
    <EntryForm label="Hand over" form={form} save="Save hand-over" onSave={save}>
      <BoxNumberField large value={box} onChange={setBox} error={errors.box} />
      <Choice
        large
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
      <Choice
        large
        legend="It was"
        name="accepted"
        choices={verdicts}
        value={accepted}
        onChange={setAccepted}
      />
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
    </EntryForm>
  )
}
