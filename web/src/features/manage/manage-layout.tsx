import { type ReactNode, useState } from 'react'
import { NavLink, useRevalidator } from 'react-router'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { DirtyGuard } from '#web/forms/dirty-guard.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import { ErrorBanner } from './form-parts.tsx'
import type { Read } from './read.ts'

/** Screens of managers: URL, what the tab is called, what the screen is called, and what it is for. */
export const screens = [
  ['/manage/order', 'Orders', 'Manage Order', 'The queue: pack, hand out, cancel, print; complaints'],
  ['/manage/slot', 'Slots', 'Manage Slot', 'Times for pick-up and delivery, weekly and by hand'],
  ['/manage/user', 'Users', 'Manage User', 'Names, roles and status of accounts'],
  ['/manage/category', 'Categories', 'Manage Category', 'What the shop is divided into'],
  ['/manage/product', 'Products', 'Manage Product', 'Prices, stock, pictures; many at once or by CSV'],
  ['/manage/offer', 'Offers', 'Manage Offer', 'Coupons: what they take off, when and how often'],
  ['/manage/box', 'Boxes', 'Manage Box', 'Catches, records, seals, labels and the ledger'],
  ['/manage/trade', 'Trade', 'Manage Trade', 'EPCIS and FSMA 204 of many boxes, and import of EPCIS'],
  [
    '/manage/excursion',
    'Excursions',
    'Manage Excursion',
    'Warm stretches and silent sensors, and who is notified',
  ],
  ['/manage/supplier', 'Suppliers', 'Manage Supplier', 'Who records catches and hand-overs by phone'],
  ['/manage/device', 'Devices', 'Manage Device', 'Loggers and phones that sign readings; who is silent'],
  [
    '/manage/tracker',
    'Trackers',
    'Manage Tracker',
    'Devices of other services, and with which box each travels',
  ],
  ['/station', 'Station', 'Station', 'Results of an e-eye or e-nose that has no API, by hand or with a key'],
  ['/manage/site', 'Site', 'Manage Site', 'Who sells and where orders are picked up, with the history'],
  ['/manage/mail', 'Mail', 'Manage Mail', 'Emails that could not be delivered'],
  ['/manage/key', 'Keys', 'Manage Key', 'Which machines may do what with the shop’s API'],
] as const

/** The page of stations has no tabs: its people are no managers. */
const tabs = screens.filter(([to]) => to !== '/station')

type Props = {
  title: string
  /** The document's title, where it says more. */
  headTitle?: string
  children: ReactNode
  help?: boolean
}

/** On a phone the row of screens scrolls sideways: it begins with the one that is shown. */
function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector<HTMLElement>('[aria-current=page]')
  if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
}

/** What is around every screen of managers: the way to the others, and the guard of what is not saved. */
export function ManageLayout({ title, headTitle = title, children, help = true }: Props) {
  return (
    <DirtyGuard>
      <PageHead describe={() => ({ title: headTitle })} />
      <div className="wrap pt-6 pb-16">
        <nav
          ref={showCurrent}
          aria-label="Managing"
          className="-mx-4 mb-6 flex overflow-x-auto border-line border-b px-2 sm:-mx-2 sm:px-0"
        >
          {[['/manage', 'Dashboard'] as const, ...tabs].map(([to, label]) => (
            <NavLink
              key={to}
              to={to}
              end={to === '/manage'}
              className="flex min-h-11 shrink-0 items-center border-transparent border-b-2 px-2 font-semibold sm:px-3 text-slate hover:text-teal aria-[current=page]:border-teal aria-[current=page]:text-teal"
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
          <h1 className="text-3xl sm:text-4xl">{title}</h1>
          {help && <KeyboardHelp />}
        </div>
        {children}
      </div>
    </DirtyGuard>
  )
}

const keys = [
  ['↑ ↓', 'from a row’s button to the same one of the row above or below'],
  ['Home, End', 'to the first or last row'],
  ['Enter', 'presses a button; in an edit form, saves'],
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
