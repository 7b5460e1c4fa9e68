import type { FormEvent, ReactNode } from 'react'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner, LogInAgain } from '../form-parts.tsx'
import { fieldName } from '../list/differences.ts'
import type { EditedImage } from './edited-images.ts'
import { ImagePreview } from './image-item.tsx'
import type { DraftConflict, ManagedRow, Resource, RowDraft } from './row-drafts.ts'
import type { ManagedList } from './use-managed-list.ts'

type Props<Row extends ManagedRow, Values extends object> = {
  resource: Resource<Row, Values>
  list: ManagedList<Row, Values>
}

/** What could not be done, and the way back to what was typed; in view also far down a long list. */
export function FailureNotices<Row extends ManagedRow, Values extends object>({
  resource,
  list,
}: Props<Row, Values>) {
  const { failure, drafts } = list
  return (
    <div className="sticky top-18 z-20 max-h-[75vh] overflow-y-auto empty:hidden">
      {failure && (
        <ErrorBanner message={failure.message} onDismiss={list.dismiss}>
          {failure.loggedOut && <LogInAgain />}
        </ErrorBanner>
      )}
      {[...drafts.byId.values()].map((draft) => (
        <DraftNotice key={draft.base._id} draft={draft} resource={resource} list={list} />
      ))}
    </div>
  )
}

/** Message about a conflict in place of what the shop says, which knows nothing of this page's own changes of many. */
const conflictText = {
  self: 'You changed this in the meantime together with other rows. Nothing was saved.',
  others: null,
  both: 'This was changed in the meantime. Nothing was saved.',
} as const

/** Why a draft could not be saved. */
function DraftNotice<Row extends ManagedRow, Values extends object>({
  draft,
  resource,
  list,
}: Props<Row, Values> & { draft: RowDraft<Row, Values> }) {
  const { base, failure } = draft
  if (!failure) return null
  const { message, conflict, loggedOut } = failure
  const name = resource.nameOf(conflict?.theirs ?? base)
  return (
    <ErrorBanner
      message={(conflict && conflictText[conflict.by]) ?? message}
      onDismiss={() => list.dismissDraft(base._id)}
    >
      {loggedOut && <LogInAgain />}
      {conflict ? (
        <ConflictForm
          name={name}
          conflict={conflict}
          valueText={resource.valueText}
          onKeep={(takeTheirs) => list.resume(base._id, takeTheirs)}
          onTake={() => list.discard(base._id)}
        />
      ) : (
        <Button variant="outline" className="mt-3" onClick={() => list.resume(base._id)}>
          Keep editing {name}
        </Button>
      )}
    </ErrorBanner>
  )
}

type ConflictProps = {
  name: string
  conflict: Pick<DraftConflict<unknown, unknown>, 'fields' | 'by'>
  valueText: (field: string, value: unknown) => string
  onKeep: (takeTheirs: ReadonlySet<string>) => void
  onTake: () => void
}

const sides = { mine: 'Yours', theirs: 'Theirs', take: 'Take theirs' } as const
const ownSides = { mine: 'Typed', theirs: 'Now', take: 'Leave it as it is now' } as const

/** Two people changed the same fields: choose a value, field by field. */
export function ConflictForm({ name, conflict, valueText, onKeep, onTake }: ConflictProps) {
  const { fields, by } = conflict
  const labels = by === 'others' ? sides : ownSides
  const keep = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = new FormData(event.currentTarget)
    onKeep(new Set(fields.map(({ field }) => field).filter((field) => chosen.get(field) === 'theirs')))
  }
  return (
    <form
      onSubmit={keep}
      aria-label={`${labels.mine} and ${labels.theirs.toLowerCase()} for ${name}`}
      className="mt-3 grid gap-3 text-ink"
    >
      {fields.map(({ field, mine, theirs }) => (
        <fieldset key={field} className="flex flex-wrap gap-x-8">
          <legend className="font-semibold">{fieldName(field)}</legend>
          <Choice field={field} value="mine" checked>
            {labels.mine}: <Value field={field} value={mine} valueText={valueText} />
          </Choice>
          <Choice field={field} value="theirs">
            {labels.theirs}: <Value field={field} value={theirs} valueText={valueText} />
          </Choice>
        </fieldset>
      ))}
      <p>Fields that only one of you changed are kept.</p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Keep editing {name}</Button>
        <Button variant="outline" onClick={onTake}>
          {labels.take}
        </Button>
      </div>
    </form>
  )
}

const isImages = (field: string, value: unknown): value is EditedImage[] =>
  field === 'images' && Array.isArray(value) && value.length > 0

type ValueProps = Pick<ConflictProps, 'valueText'> & { field: string; value: unknown }

/** A value of a field: pictures as pictures, all else as text. */
function Value({ field, value, valueText }: ValueProps) {
  if (!isImages(field, value)) return valueText(field, value)
  return (
    <span className="flex flex-wrap gap-2">
      {value.map((image) => (
        <ImagePreview key={image.key} image={image} />
      ))}
    </span>
  )
}

type ChoiceProps = { field: string; value: 'mine' | 'theirs'; checked?: boolean; children: ReactNode }

const Choice = ({ field, value, checked = false, children }: ChoiceProps) => (
  <label className="flex min-h-11 items-center gap-3">
    <input
      type="radio"
      name={field}
      value={value}
      defaultChecked={checked}
      className="size-5 shrink-0 accent-teal"
    />
    <span className="min-w-0 whitespace-pre-line wrap-anywhere">{children}</span>
  </label>
)
