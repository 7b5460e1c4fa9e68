import { type ReactNode, useId, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Confirm, FailureBanner, StatusMessage } from '../form-parts.tsx'
import type { Action } from '../manage-layout.tsx'

type Removal = {
  label: string
  /** What removing it means. */
  lost: string
  /** Says what it did. */
  remove: () => Promise<string>
}

type Item = { id: string; text: ReactNode; removal: Removal | null }

type Props = {
  title: string
  action: Action
  /** Stands above the list. */
  news?: ReactNode
  items: readonly Item[]
  empty: string
  /** The form for another one. */
  children: ReactNode
}

/** What is set, each with a button that removes it after a question, and below it the form for more. */
export function SettingsList({ title, action, news, items, empty, children }: Props) {
  const id = useId()
  const [asked, setAsked] = useState<(Removal & { id: string }) | null>(null)
  const { place, removing } = useFocusAfterRemoval<HTMLElement>('remove')
  return (
    <section ref={place} aria-labelledby={id} className="grid content-start gap-3">
      <h2 id={id} data-empty tabIndex={-1} className="text-2xl">
        {title}
      </h2>
      {action.failure !== null && <FailureBanner error={action.failure} onDismiss={action.dismiss} />}
      <StatusMessage message={action.message} className="empty:hidden" />
      {news}
      <ul className="divide-y divide-line border-line border-y">
        {items.length === 0 && <li className="py-3 text-slate">{empty}</li>}
        {items.map(({ id, text, removal }) => (
          <li
            key={id}
            data-row={id}
            className="flex min-h-12 flex-wrap items-center justify-between gap-2 py-1"
          >
            <span className="min-w-0 wrap-anywhere">{text}</span>
            {removal && (
              <Button
                variant="outline"
                disabled={!action.ready}
                data-action="remove"
                onClick={() => setAsked({ ...removal, id })}
                aria-label={removal.label}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {children}
      <Dialog open={asked !== null} title={`${asked?.label ?? ''}?`} onClose={() => setAsked(null)}>
        {asked && (
          <Confirm
            action="Remove"
            onClose={() => setAsked(null)}
            onConfirm={async () => {
              const message = await asked.remove()
              removing(
                items.flatMap((item) => (item.removal ? [item.id] : [])),
                asked.id,
              )
              setAsked(null)
              action.done(message)
            }}
          >
            <p>{asked.lost}</p>
          </Confirm>
        )}
      </Dialog>
    </section>
  )
}
