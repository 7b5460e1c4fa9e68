import type { FieldUser } from '@befaqt/domain/api/field-api'
import { temperatureText } from '@befaqt/domain/tracking'
import { useState } from 'react'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { BoxNumberField } from '#web/features/box/find/box-number-field.tsx'
import { EntryForm, useEntryForm } from '../parts/entry-form.tsx'
import { canReadTags, readTag, type TagReading } from '../parts/tag.ts'
import { type OpenEntry, useEntry } from '../parts/use-entry.ts'
import { go, goHomeSaved, paths } from '../route.ts'
import { useSigning } from '../signing/phone-key.ts'

type Props = { user: FieldUser; mend: string | null; box: string }

/** Puts a reading of a tag nearby into a box. */
export function ReadingPage({ user, mend, box }: Props) {
  const entry = useEntry(user, mend)
  if (entry.mended === undefined) return <p className="py-8">Opening…</p>
  if (entry.mended === null && !canReadTags()) return <NoBluetooth />
  return <ReadingForm user={user} entry={entry} box={box} />
}

/** Not a dead button: what to do instead. */
const NoBluetooth = () => (
  <div className="grid gap-4">
    <Alert tone="info">
      This browser can’t read tags: it has no Web Bluetooth. Chrome, Edge and Samsung Internet on Android have
      it, Safari has not.
    </Alert>
    <p>Measured the fish with a probe? The temperature can be recorded with a hand-over.</p>
    <Button variant="outline" className="min-h-14" onClick={() => go(paths.handover)}>
      Hand over
    </Button>
  </div>
)

/** A tag that is read; asked for, failed or found. */
function useTag() {
  const [reading, setReading] = useState<TagReading | null>(null)
  const { busy, failure, run } = useCall()
  const text = failure instanceof Error ? failure.message : 'The tag could not be read.'
  const read = () => void run(async () => setReading(await readTag()))
  return { reading, busy, failure: failure === null ? null : text, read }
}

function ReadingForm({ user, entry, box: given }: { user: FieldUser; entry: OpenEntry; box: string }) {
  const signs = useSigning(user)?.signing.state === 'signs'
  const form = useEntryForm(entry, 'reading')
  const { was, errors, place } = form
  const [box, setBox] = useState(was?.box ?? given)
  const tag = useTag()
  const found = tag.reading ?? (was && { ...was, at: was.madeAt, battery: null })
  const save = async () => {
    if (found === null) return
    const { iotID, temperature, at } = found
    if (await entry.save({ kind: 'reading', box, iotID, temperature, ...place }, null, at)) goHomeSaved(box)
  }
  return (
    <EntryForm label="Read a tag" form={form} save="Save reading" ready={found !== null} onSave={save}>
      <BoxNumberField
        large
        value={box}
        onChange={setBox}
        error={errors.box}
        hint="The box that the tag lies in."
      />
      <div className="grid gap-3" aria-live="polite">
        {found && <Found reading={found} error={errors.temperature ?? errors.iotID} />}
        {tag.failure && <Alert tone="warn">{tag.failure}</Alert>}
        {tag.busy && <Spinner label="Waiting for a reading of the tag" />}
      </div>
      {!was && (
        <Button
          variant={found ? 'outline' : 'primary'}
          className="min-h-16 text-xl"
          disabled={tag.busy}
          onClick={tag.read}
        >
          {found ? 'Read again' : 'Find a tag nearby'}
        </Button>
      )}
      <p className="muted">
        A RuuviTag, held next to the phone.{' '}
        {signs
          ? 'It signs nothing: this phone signs what it heard.'
          : 'It signs nothing, so the reading is shown as typed in.'}
      </p>
    </EntryForm>
  )
}

type FoundProps = { reading: TagReading; error: string | undefined }

const Found = ({ reading: { iotID, temperature, battery, at }, error }: FoundProps) => (
  <div className="rounded-lg border border-line bg-surface p-4">
    <p className="font-semibold text-4xl tabular-nums">{temperatureText(temperature)} °C</p>
    <p className="text-slate">
      {iotID}, {new Date(at).toLocaleTimeString('en-AU')}
      {battery !== null && `, battery ${battery.toFixed(2)} V`}
    </p>
    {error && <p className="font-semibold text-bad text-sm">{error}</p>}
  </div>
)
