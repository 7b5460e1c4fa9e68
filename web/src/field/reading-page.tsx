import type { FieldUser } from '@befaqt/domain/api/field-api'
import { temperatureText } from '@befaqt/domain/tracking'
import { useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { BoxField } from './parts/box-field.tsx'
import { placeOf, positionText, usePosition } from './parts/position.ts'
import { canReadTags, readTag, type TagReading } from './parts/tag.ts'
import { type EntryForm, refusedFields, useEntry } from './parts/use-entry.ts'
import { go, paths } from './route.ts'
import { useSigning } from './signing/use-signing.ts'

type Props = { user: FieldUser; mend: string | null; box: string }

/** Puts a reading of a tag nearby into a box. */
export default function ReadingPage({ user, mend, box }: Props) {
  const form = useEntry(user, mend)
  if (form.mended === undefined) return <p className="py-8">Opening…</p>
  if (form.mended === null && !canReadTags()) return <NoBluetooth />
  return <ReadingForm user={user} form={form} box={box} />
}

/** Not a dead button: what to do instead. */
const NoBluetooth = () => (
  <div className="grid gap-4">
    <Alert tone="info">
      This browser can’t read tags: it has no Web Bluetooth. Chrome, Edge and Samsung Internet on Android have
      it, Safari has not.
    </Alert>
    <p>Measured the fish with a probe? The temperature can be told with a hand-over.</p>
    <Button variant="outline" className="min-h-14" onClick={() => go(paths.handover)}>
      Hand over
    </Button>
  </div>
)

/** A tag that is read; asked for, failed or found. */
function useTag() {
  const [reading, setReading] = useState<TagReading | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const read = async () => {
    setBusy(true)
    setFailure(null)
    try {
      setReading(await readTag())
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'The tag could not be read.')
    } finally {
      setBusy(false)
    }
  }
  return { reading, busy, failure, read }
}

function ReadingForm({ user, form, box: given }: { user: FieldUser; form: EntryForm; box: string }) {
  const signs = useSigning(user)?.signing.state === 'signs'
  const was = form.mended?.entry.kind === 'reading' ? form.mended.entry : null
  const [box, setBox] = useState(was?.box ?? given)
  const tag = useTag()
  const position = usePosition()
  const where = positionText(position)
  const errors = { ...refusedFields(form.mended), ...form.errors }
  const found = tag.reading ?? (was && { ...was, at: was.madeAt, battery: null })
  const save = async () => {
    if (found === null) return
    const { iotID, temperature, at } = found
    const place = was
      ? { latitude: was.latitude, longitude: was.longitude, accuracy: was.accuracy }
      : placeOf(position)
    if (await form.save({ kind: 'reading', box, iotID, temperature, ...place }, null, at))
      go(`${paths.home}?saved=${encodeURIComponent(box)}`)
  }
  return (
    <form
      aria-label="Read a tag"
      className="grid gap-6 pb-28"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {form.mended?.problem && <Alert tone="warn">The shop refused this: {form.mended.problem}</Alert>}
      <BoxField value={box} onChange={setBox} error={errors.box} hint="The box that the tag lies in." />
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
          onClick={() => void tag.read()}
        >
          {found ? 'Read again' : 'Find a tag nearby'}
        </Button>
      )}
      <p className="text-slate text-sm">
        A RuuviTag, held next to the phone.{' '}
        {signs
          ? 'It signs nothing: this phone signs what it heard.'
          : 'It signs nothing, so the reading is shown as typed in.'}
      </p>
      <div className="fixed inset-x-0 bottom-0 z-10 border-line border-t bg-ground px-4 pt-2 pb-4">
        <div className="mx-auto grid max-w-xl gap-2">
          {form.failure && <Alert tone="bad">{form.failure}</Alert>}
          <p role="status" className={`text-sm ${where.isGood ? 'text-good' : 'text-warn'}`}>
            {was ? 'Time and place stay as they were.' : where.text}
          </p>
          <Button
            type="submit"
            variant={found ? 'primary' : 'outline'}
            className="min-h-14 text-lg"
            disabled={form.busy || found === null}
          >
            Save reading
          </Button>
        </div>
      </div>
    </form>
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
