import { isSensingText, readSensingData } from '@befaqt/domain/sensing-data'
import { fileTooLarge, MAX_FILE_BYTES } from '@befaqt/domain/upload-limits'
import { useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { FileThumbnail } from '#web/components/file-thumbnail.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { fieldOf, fileFields, type Kind, type Named, sendableName } from './station-form.ts'

/** A file that was looked into, and is sent with the result. */
export type ChosenFile = Named & { file: File; recognised: Recognised }

const texts = {
  image: { add: 'Add pictures', accept: 'image/*', none: 'No pictures chosen yet.' },
  enose: { add: 'Add data files', accept: '.csv,.txt,.tsv,text/*', none: 'No data files chosen yet.' },
} as const
const labels: Readonly<Record<string, string>> = {
  fish: 'Fish',
  confidence: 'Confidence',
  eye: 'Eye',
  skin: 'Skin',
  score: 'Score',
}

type Props = {
  kind: Kind
  files: readonly ChosenFile[]
  onFiles: (change: (files: readonly ChosenFile[]) => readonly ChosenFile[]) => void
  most: number
  errors: FieldErrors
}

/** The files of a result: each is looked into when it is chosen, and refused by its name when it is of another kind. */
export function FileList({ kind, files, onFiles, most, errors }: Props) {
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isLooking, setIsLooking] = useState(false)
  const hydrated = useHydrated()
  const add = async (chosen: readonly File[]) => {
    setIsLooking(true)
    setProblems([])
    const looked = await Promise.all(
      chosen.map(async (file) => ({
        file,
        found: await recognise(kind, file).catch(() => unreadable(file)),
      })),
    )
    const refused = looked.flatMap(({ found }) => (typeof found === 'string' ? [found] : []))
    const good = looked.flatMap(({ file, found }) =>
      typeof found === 'string' ? [] : [{ file, recognised: found }],
    )
    const room = Math.max(0, most - files.length)
    const left = good
      .slice(room)
      .map(({ file }) => `${file.name} is one too many: ${most} can be sent together.`)
    onFiles((before) => good.slice(0, room).reduce(withFile, before))
    setProblems([...refused, ...left])
    setIsLooking(false)
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-semibold">{kind === 'image' ? 'Pictures' : 'Data files'}</legend>
      {problems.length > 0 && (
        <Alert tone="bad" onDismiss={() => setProblems([])}>
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Alert>
      )}
      <label className="flex min-h-14 items-center justify-center rounded-md border border-edge border-dashed bg-surface px-4 font-semibold hover:border-teal has-focus-visible:outline-2 has-focus-visible:outline-teal">
        <input
          type="file"
          multiple
          accept={texts[kind].accept}
          disabled={!hydrated || isLooking}
          className="sr-only"
          onChange={({ currentTarget: input }) => {
            const chosen = [...(input.files ?? [])]
            input.value = ''
            void add(chosen)
          }}
        />
        {isLooking ? 'Reading them…' : texts[kind].add}
      </label>
      {files.length === 0 ? (
        <p className="text-slate">{texts[kind].none}</p>
      ) : (
        <ol className="grid gap-3">
          {files.map((file, i) => (
            <FileItem
              key={file.id}
              kind={kind}
              chosen={file}
              errors={errors}
              error={errors[`files[${i}]`]}
              onRemove={() => onFiles((before) => before.filter(({ id }) => id !== file.id))}
            />
          ))}
        </ol>
      )}
    </fieldset>
  )
}

const unreadable = (file: File): string => `${file.name} could not be read from this device.`

function withFile(files: readonly ChosenFile[], { file, recognised }: Omit<ChosenFile, keyof Named>) {
  const id = Math.max(0, ...files.map(({ id }) => id)) + 1
  const name = sendableName(
    file.name,
    files.map(({ name }) => name),
  )
  return [...files, { id, name, file, recognised }]
}

type ItemProps = {
  kind: Kind
  chosen: ChosenFile
  errors: FieldErrors
  error: string | undefined
  onRemove: () => void
}

/** One file: what was recognised in it, and what the station said of it alone. */
function FileItem({ kind, chosen, errors, error, onRemove }: ItemProps) {
  const { name, recognised } = chosen
  const fields = fileFields[kind].map((field) => ({ field, error: errors[fieldOf(field, chosen)] }))
  return (
    <li
      className={`grid gap-2 rounded-md border bg-surface p-3 ${error ? 'border-2 border-bad' : 'border-line'}`}
    >
      <div className="flex items-start gap-3">
        {kind === 'image' && <FileThumbnail file={chosen.file} />}
        <div className="min-w-0 flex-1">
          <p className="font-semibold wrap-anywhere">{name}</p>
          <p className={`text-sm wrap-anywhere ${recognised.isKnown ? 'text-slate' : 'text-warn'}`}>
            {recognised.text}
          </p>
          {error && <p className="font-semibold text-bad text-sm">{error}</p>}
        </div>
        <Button variant="link" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <details open={fields.some(({ error }) => error !== undefined) || undefined}>
        <summary className="link tap">
          {kind === 'image' ? 'This picture differs from the whole' : 'This test differs from the whole'}
        </summary>
        <div className="grid gap-3 pt-1 sm:grid-cols-2">
          {fields.map(({ field, error }) => (
            <InputField
              key={field}
              label={`${labels[field]} (as the whole, if blank)`}
              name={fieldOf(field, chosen)}
              error={error}
              autoComplete="off"
            />
          ))}
        </div>
      </details>
    </li>
  )
}

/** What was recognised in a file; `isKnown`: false where it is sent as it is. */
type Recognised = { text: string; isKnown: boolean }

/** Columns that are named; of more it is said how many. */
const SHOWN = 8

/** Looks into a file before it is sent. Returns why it is refused, as a sentence that names it. */
async function recognise(kind: Kind, file: File): Promise<Recognised | string> {
  if (file.size > MAX_FILE_BYTES) return `${fileTooLarge(file.name)}.`
  return kind === 'image' ? recognisePicture(file) : recogniseData(file)
}

async function recognisePicture(file: File): Promise<Recognised | string> {
  try {
    const { width, height } = await createImageBitmap(file)
    return { text: `${width} × ${height} px, ${sizeText(file.size)}`, isKnown: true }
  } catch {
    return `${file.name} can’t be read as a picture. Use JPEG, PNG or WebP.`
  }
}

async function recogniseData(file: File): Promise<Recognised | string> {
  const text = await decoded(file)
  if (!isSensingText(text)) return `${file.name} is not a text file. Export the measurements as CSV.`
  const data = readSensingData(text)
  if (data === null)
    return { text: 'No table of measurements was recognised. It is kept as it is.', isKnown: false }
  const { columns, rows, seconds } = data
  const named = columns.slice(0, SHOWN).map(({ name, min, max }) => `${name} ${min} to ${max}`)
  const more = columns.length > SHOWN ? [`${columns.length - SHOWN} more`] : []
  const lasting = seconds === null ? '' : ` over ${Math.round(seconds)} s`
  return {
    text: `${rows} ${rows === 1 ? 'measurement' : 'measurements'}${lasting}: ${[...named, ...more].join(', ')}`,
    isKnown: true,
  }
}

/** The text of a file; empty where it is none. */
async function decoded(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
