import { addEnoseResult, addImageResult } from '@befaqt/domain/api/endpoints/station'
import { marketTime } from '@befaqt/domain/market-time'
import { boxPath } from '@befaqt/domain/page-paths'
import { MAX_IMAGES } from '@befaqt/domain/upload-limits'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { upload } from '#web/api/upload.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Choice } from '#web/components/choice.tsx'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { zoneName } from '#web/time/zone-name.ts'
import { FailureBanner, UploadProgress } from '../manage/form-parts.tsx'
import { type ChosenFile, FileList } from './file-list.tsx'
import { BoxChoice, PlaceFields } from './station-fields.tsx'
import { type Kind, stationForm } from './station-form.ts'
import { remember, remembered, withKey } from './station-store.ts'

const kinds = [
  ['image', 'E-eye: pictures'],
  ['enose', 'E-nose: gas sensors'],
] as const

type Sent = { box: string; seq: number }

/** One result after the other. What stays the same between them is remembered. */
export function ResultForm({ accessKey }: { accessKey: string }) {
  const [params] = useSearchParams()
  const [kind, setKind] = useState<Kind>(params.get('kind') === 'enose' ? 'enose' : 'image')
  const [box, setBox] = useState(params.get('box') ?? '')
  const [sent, setSent] = useState<Sent[]>([])
  const last = sent.at(-1)
  const onSent = (made: Sent) => {
    setSent((before) => [...before, made])
    setBox('')
  }
  return (
    <>
      {last && (
        <Alert tone="good" className="mb-6">
          Recorded as record {last.seq} of box{' '}
          <Link to={boxPath(last.box)} className="link">
            {last.box}
          </Link>
          . The same again adds nothing.
        </Alert>
      )}
      <div className="mb-6">
        <Choice
          legend="What is this a result of?"
          name="kind"
          choices={kinds}
          value={kind}
          onChange={setKind}
        />
      </div>
      <OneResult
        key={`${kind} ${sent.length}`}
        kind={kind}
        box={box}
        onBox={setBox}
        accessKey={accessKey}
        onSent={onSent}
      />
    </>
  )
}

type Props = {
  kind: Kind
  box: string
  onBox: (box: string) => void
  accessKey: string
  onSent: (sent: Sent) => void
}

function OneResult({ kind, box, onBox, accessKey, onSent }: Props) {
  const zone = useMarketZone()
  const [memory] = useState(remembered)
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [progress, setProgress] = useState<number | null>(null)
  const [openedAt] = useState(() => localTime(zone))
  const form = useForm(stationForm(kind, files), async ({ box: boxID, result }) => {
    const body = new FormData()
    body.append('result', JSON.stringify(result))
    for (const { file, name } of files) body.append('files', file, name)
    const endpoint = kind === 'image' ? addImageResult : addEnoseResult
    setProgress(0)
    try {
      const { seq } = await upload(endpoint, { params: { boxID }, body, ...withKey(accessKey) }, setProgress)
      const { operator, latitude, longitude } = result
      const isPlaced = latitude !== 0 || longitude !== 0
      remember({ [kind]: operator, ...(isPlaced && { latitude: `${latitude}`, longitude: `${longitude}` }) })
      saved()
      onSent({ box: boxID, seq })
    } finally {
      setProgress(null)
    }
  })
  const { onChange, saved } = useKeptForm({ name: 'result', about: kind, form })
  const { errors } = form
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label={kind === 'image' ? 'Result of an e-eye' : 'Result of an e-nose'}
      className="grid gap-6"
    >
      <BoxChoice box={box} onBox={onBox} accessKey={accessKey} error={errors.box} />
      <FileList kind={kind} files={files} onFiles={setFiles} most={MAX_IMAGES} errors={errors} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <InputField
          label="Score, 0 as caught to 1 past its best"
          name="score"
          inputMode="decimal"
          autoComplete="off"
          error={errors.score ?? errors.imgScore ?? errors.noseScore}
        />
        <InputField
          label="Confidence, 0 to 1 or in %"
          name="confidence"
          autoComplete="off"
          error={errors.confidence}
        />
        {kind === 'image' && (
          <>
            <InputField label="Fish (optional)" name="fish" error={errors.fish} hint="as it was recognised" />
            <InputField label="Eye (optional)" name="eye" error={errors.eye} hint="a word, or 0 to 1" />
            <InputField label="Skin (optional)" name="skin" error={errors.skin} hint="a word, or 0 to 1" />
          </>
        )}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <InputField
          label="Method or device, and who"
          name="operator"
          defaultValue={memory[kind]}
          maxLength={200}
          error={errors.operator}
          hint="like: E-nose 2, auction floor"
        />
        <InputField
          label="Assessed at"
          name="time"
          type="datetime-local"
          defaultValue={openedAt}
          error={errors.time}
          hint={zoneName(zone)}
        />
      </div>
      <PlaceFields latitude={memory.latitude} longitude={memory.longitude} errors={errors} />
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid gap-3">
        {progress !== null && files.length > 0 && <UploadProgress progress={progress} />}
        <Button
          type="submit"
          variant="primary"
          className="min-h-14 text-lg"
          disabled={!form.ready}
          aria-busy={form.busy}
        >
          {form.busy ? 'Sending…' : 'Add to the box’s records'}
        </Button>
        <p className="muted">
          It becomes a record of the box that nobody can delete. Sending it again after a lost connection does
          no harm.
        </p>
      </div>
    </form>
  )
}

/** Now, as a field for a date and time has it, in market time. */
const localTime = (zone: string): string => marketTime(Date.now(), zone).slice(0, 16).replace(' ', 'T')
