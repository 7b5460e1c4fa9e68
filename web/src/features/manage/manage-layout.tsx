import { type ReactNode, useState } from 'react'
import { useRevalidator } from 'react-router'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { DirtyGuard } from '#web/forms/dirty-guard.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import { Desk } from './desk/desk.tsx'
import { useShownScreen } from './desk/screens.ts'
import { ErrorBanner } from './form-parts.tsx'
import type { Read } from './read.ts'

type Props = {
  /** Without it, that of the screen in the desk's table. */
  title?: ReactNode
  /** The document's title, where it says more, or the other is not text alone. */
  headTitle?: string
  children: ReactNode
  help?: boolean
}

/** What is around every screen of managers: the way to the others, and the guard of what is not saved. */
export function ManageLayout({ title, headTitle, children, help = true }: Props) {
  const screen = useShownScreen()
  const heading = title ?? screen?.title ?? 'Manage'
  return (
    <DirtyGuard>
      <PageHead describe={() => ({ title: headTitle ?? String(heading) })} />
      <Desk>
        <div className="mb-5 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
          <h1 className="text-3xl">{heading}</h1>
          {help && <KeyboardHelp />}
        </div>
        {children}
      </Desk>
    </DirtyGuard>
  )
}

const keys = [
  ['Ctrl K, /', 'finds orders, products, boxes, people and screens'],
  ['↑ ↓', 'from a row’s button to the same one of the row above or below'],
  ['Home, End', 'to the first or last row'],
  ['← →', 'from a field of a row to the one beside it'],
  ['Enter', 'presses a button; in an edit form, saves; in a field of a row, saves and goes to the one below'],
  ['0 to 9', 'on a number of a row, begins to change it'],
  ['Ctrl Z', 'on a field of a row, takes back the last change made in one'],
  ['Escape', 'leaves the edit form; asks first when something was typed'],
  ['Tab', 'to the next control, as everywhere'],
] as const

/** What the keyboard does in lists, on request; not on touch devices. */
function KeyboardHelp() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="link"
        className="pointer-coarse:hidden"
        disabled={!useHydrated()}
        onClick={() => setOpen(true)}
      >
        Keyboard
      </Button>
      <Dialog open={open} title="Keyboard" onClose={() => setOpen(false)}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          {keys.map(([key, effect]) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="rounded-sm border border-edge px-1.5 py-0.5 font-mono text-sm">{key}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}

type ReadProps<Data> = { found: Read<Data>; children: (data: Data) => ReactNode }

/**
 * What a page has read. When reading it again fails, what was read before stays, with all that is typed there, under
 * a banner that says so.
 */
export function ReadResult<Data>({ found, children }: ReadProps<Data>) {
  const [lastGood, setLastGood] = useState(found.data)
  if (found.data !== null && found.data !== lastGood) setLastGood(found.data)
  const data = found.data ?? lastGood
  return (
    <>
      {found.failure !== null && <ReadFailure message={found.failure} isOld={data !== null} />}
      {data !== null && children(data)}
    </>
  )
}

function ReadFailure({ message, isOld }: { message: string; isOld: boolean }) {
  const { revalidate, state } = useRevalidator()
  const hydrated = useHydrated()
  const busy = state === 'loading'
  return (
    <ErrorBanner message={message}>
      {isOld && <p>What is shown may be out of date.</p>}
      <Button
        variant="outline"
        className="mt-3"
        disabled={!hydrated}
        aria-disabled={busy}
        onClick={() => void revalidate()}
      >
        {busy ? 'Trying…' : 'Try again'}
      </Button>
    </ErrorBanner>
  )
}

/** What `useAction` gives. */
export type Action = ReturnType<typeof useAction>

/** What is done on a screen, one thing at a time; after each its `message` says what came of it, and the page is read again. */
export function useAction() {
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const { busy, failure, run, dismiss } = useCall()
  const [message, setMessage] = useState('')
  /** Something was done by a form or dialog of its own. */
  const done = (what: string): Promise<void> => {
    setMessage(what)
    return revalidate()
  }
  /** @param work rejects with what is shown, and says what it did @returns whether it was done */
  const act = (work: () => Promise<string>): Promise<boolean> => run(async () => done(await work()))
  return {
    failure,
    message,
    run: act,
    done: (what: string) => void done(what),
    /** As `done`; resolves when the page was read again. */
    doneAndRead: done,
    dismiss,
    busy,
    ready: hydrated,
  }
}
