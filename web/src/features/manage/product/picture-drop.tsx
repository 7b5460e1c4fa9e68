import { MAX_FILE_MB } from '@befaqt/domain/upload-limits'
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '#web/components/button.tsx'
import { SelectField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { FailureBanner, LogInAgain } from '../form-parts.tsx'
import { type Dropped, MAX_DROPPED } from './dropped-pictures.ts'
import { type Drop, isOpen } from './use-drop.ts'

const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif'

const counted = (n: number): string => `${n} ${n === 1 ? 'draft' : 'drafts'}`

const takesFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** A part of the page onto which pictures may be dropped. */
export function DropPlace({ drop, label, children }: { drop: Drop; label: string; children: ReactNode }) {
  const [over, setOver] = useState(false)
  return (
    <section
      aria-label={label}
      className={`rounded-md ${over ? 'outline-3 outline-teal outline-dashed outline-offset-4' : ''}`}
      onDragOver={(event) => {
        if (!takesFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        if (!takesFiles(event)) return
        event.preventDefault()
        setOver(false)
        drop.take(event.dataTransfer.files)
      }}
    >
      {children}
    </section>
  )
}

/** Pictures first: each that is chosen here, or dropped on the list, becomes a draft of its own. */
export function PicturesPanel({ drop }: { drop: Drop }) {
  const id = useId()
  const ready = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  return (
    <details
      open={drop.shown}
      onToggle={(event) => drop.setShown(event.currentTarget.open)}
      className="group/add mb-8 rounded-lg border max-md:-mt-4 border-line bg-surface"
    >
      <summary className="flex min-h-14 items-center gap-3 rounded-lg px-4 hover:text-teal sm:px-6">
        <Icon name="plus" className="size-5 transition-transform group-open/add:rotate-45" />
        <h2 className="text-xl">New from pictures</h2>
      </summary>
      <div className="grid gap-4 px-4 pt-2 pb-6 sm:px-6">
        <DropPlace drop={drop} label="New from pictures, drop place">
          <div className="flex flex-wrap items-end gap-x-4 gap-y-3 rounded-md border-2 border-edge border-dashed p-4">
            <SelectField
              label="Category"
              value={drop.category ?? ''}
              onChange={(event) => drop.choose(event.currentTarget.value)}
            >
              {drop.categories.map(({ _id, title }) => (
                <option key={_id} value={_id}>
                  {title}
                </option>
              ))}
            </SelectField>
            <input
              ref={input}
              id={id}
              type="file"
              multiple
              accept={ACCEPTED}
              disabled={!ready}
              aria-describedby={`${id}-hint`}
              className="peer sr-only"
              onChange={({ currentTarget }) => {
                drop.take(currentTarget.files ?? [])
                currentTarget.value = ''
              }}
            />
            <label
              htmlFor={id}
              className={buttonClass(
                'outline',
                'cursor-pointer peer-focus-visible:outline-3 peer-focus-visible:outline-teal',
              )}
            >
              Choose pictures for drafts
            </label>
            <p id={`${id}-hint`} className="muted basis-full">
              Or drop them here or on the list. Each becomes a product that is not on sale, named after its
              file. Up to {MAX_DROPPED} at once; JPEG, PNG, WebP or AVIF, {MAX_FILE_MB} MB at most.
            </p>
          </div>
        </DropPlace>
        <Outcome drop={drop} />
      </div>
    </details>
  )
}

/** How a drop goes, what was refused of it, and the way back. */
function Outcome({ drop }: { drop: Drop }) {
  const { all, refused, undoing } = drop
  const of = (state: Dropped['state']) => all.filter((one) => one.state === state)
  const [made, failed, kept] = [of('made'), of('failed'), of('kept')]
  const open = all.filter(isOpen).length
  const sent = all.length - open
  const again = (ids: readonly Dropped[]) => drop.again(ids.map(({ id }) => id))
  return (
    <>
      <div role="alert" className="grid gap-1 text-bad empty:hidden">
        {refused.map((message) => (
          <p key={message} className="font-semibold text-sm wrap-anywhere">
            {message}
          </p>
        ))}
      </div>
      <div className="grid gap-3">
        <p role="status" className="text-good">
          {statusOf(all)}
        </p>
        {open > 0 && (
          <progress
            aria-label="Drafts made"
            className="h-3 w-full max-w-md accent-teal"
            value={sent}
            max={all.length}
          />
        )}
        {undoing.failure !== null && <FailureBanner error={undoing.failure} onDismiss={undoing.dismiss} />}
        {failed.length > 0 && (
          <ul aria-label="Not made" className="grid gap-1">
            {failed.map((one) => (
              <li key={one.id} className="flex flex-wrap items-center gap-x-4">
                <span className="min-w-0 wrap-anywhere">
                  <b className="font-semibold">{one.file.name}</b>{' '}
                  <span className="text-bad">{one.reason}</span>
                </span>
                <Button
                  variant="outline"
                  className="px-3"
                  aria-label={`Try again: ${one.file.name}`}
                  onClick={() => again([one])}
                >
                  Try again
                </Button>
              </li>
            ))}
          </ul>
        )}
        {failed.some(({ loggedOut }) => loggedOut) && <LogInAgain />}
        {kept.map(({ id, title, reason }) => (
          <p key={id} className="text-warn wrap-anywhere">
            {title} {reason}.
          </p>
        ))}
        {open === 0 && made.length + failed.length > 0 && (
          <div className="flex flex-wrap items-center gap-3">
            {failed.length > 1 && (
              <Button variant="outline" onClick={() => again(failed)}>
                Try all {failed.length} again
              </Button>
            )}
            {made.length > 0 && (
              <Link to="?status=INACTIVE&sort=updated&dir=desc" preventScrollReset className="link tap">
                Show the drafts
              </Link>
            )}
            <Button variant="link" aria-busy={undoing.busy} onClick={() => void drop.undo()}>
              Undo the drop
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

/** What has become of the pictures of a drop, as a sentence. */
function statusOf(all: readonly Dropped[]): string {
  const count = (state: Dropped['state']) => all.filter((one) => one.state === state).length
  if (all.some(isOpen)) return `Making drafts: ${count('made')} of ${all.length}.`
  if (count('undone') > 0) return `${counted(count('undone'))} taken back.`
  return count('made') === 0 ? '' : `${counted(count('made'))} made. None is on sale yet.`
}
