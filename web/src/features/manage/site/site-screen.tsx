import { restoreSitePart } from '@befaqt/domain/api/endpoints/manage'
import { isToShop } from '@befaqt/domain/email-texts-shop'
import { mayAtDesk } from '@befaqt/domain/rights'
import type { SitePart, SitePartRow } from '@befaqt/domain/site-settings'
import { Fragment, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useViewer } from '#web/root-data.ts'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { PartForm } from './part-form.tsx'
import { PartHistory } from './part-history.tsx'
import { emailOf, formOf } from './site-values.ts'

/** `part`: null where none is chosen. */
export type SiteFound = { parts: SitePartRow[]; part: SitePart | null }

/** Manage Site: what the site says of the shop, part by part, with the history of each. */
export function SiteScreen({ found }: { found: Read<SiteFound> }) {
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>
        {({ parts, part }) => (
          <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
            <div className={part === null ? '' : 'max-lg:hidden'}>
              <Parts parts={parts} />
            </div>
            {part === null ? (
              <p className="text-slate max-lg:hidden">Choose what you want to change.</p>
            ) : (
              <Part key={part.key} part={part} />
            )}
          </div>
        )}
      </ReadResult>
    </ManageLayout>
  )
}

const pathOf = (key: string): string => `/manage/site?part=${encodeURIComponent(key)}`

function Parts({ parts }: { parts: readonly SitePartRow[] }) {
  const seesSlots = mayAtDesk(useViewer(), 'order:write')
  const [params] = useSearchParams()
  const open = params.get('part') ?? ''
  const emails = parts.filter(({ key }) => emailOf(key) !== null)
  const isTheirs = ({ key }: SitePartRow): boolean => isToShop(emailOf(key) ?? '')
  const [toShoppers, toShop] = [emails.filter((part) => !isTheirs(part)), emails.filter(isTheirs)]
  return (
    <nav aria-label="Parts of the site">
      <ul className="divide-y divide-line border-line border-y">
        {parts.map((part) => (
          <Fragment key={part.key}>
            {emailOf(part.key) === null && (
              <li>
                <PartLink part={part} isOpen={open === part.key} />
              </li>
            )}
            {part.key === 'place' && seesSlots && (
              <li>
                <Link to="/manage/slot" className="block py-2.5 hover:text-teal">
                  <span className="block font-semibold">Opening hours, where deliveries go, closed days</span>
                  <span className="muted">Under Slots: the pages say what can be ordered for</span>
                </Link>
              </li>
            )}
          </Fragment>
        ))}
      </ul>
      <Emails title="Emails to shoppers" emails={toShoppers} open={open} />
      <Emails title="Emails to staff and suppliers" emails={toShop} open={open} />
    </nav>
  )
}

/** Emails, folded until one of them is open. */
function Emails({ title, emails, open }: { title: string; emails: readonly SitePartRow[]; open: string }) {
  return (
    <details className="mt-6" open={emails.some(({ key }) => key === open)}>
      <summary className="tap font-semibold">
        {title} ({emails.length})
      </summary>
      <ul className="divide-y divide-line border-line border-y">
        {emails.map((part) => (
          <li key={part.key}>
            <PartLink part={part} isOpen={open === part.key} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function PartLink({ part: { key, isSetup, at, who }, isOpen }: { part: SitePartRow; isOpen: boolean }) {
  return (
    <Link
      to={pathOf(key)}
      aria-current={isOpen ? 'page' : undefined}
      className="block py-2.5 hover:text-teal aria-[current=page]:text-teal"
    >
      <span className="block font-semibold">{formOf(key).title}</span>
      <span className="muted">
        {isSetup || at === null ? (
          'As the shop began'
        ) : (
          <>
            {who}, <Moment at={at} />
          </>
        )}
      </span>
    </Link>
  )
}

function Part({ part }: { part: SitePart }) {
  const { key, version, isSetup } = part
  const { title, about } = formOf(key)
  const { run, busy, failure, dismiss, message, doneAndRead, ready } = useAction()
  const [isHistoryOpen, setIsHistoryOpen] = useState(false)
  /** The version that was made last on this page: as long as it is the newest, it can be undone in one press. */
  const [made, setMade] = useState<number | null>(null)
  const restore = (to: number, said: string) =>
    run(async () => {
      const restored = await callApi(restoreSitePart, { params: { part: key }, body: { to }, version })
      setMade(restored.version)
      setIsHistoryOpen(false)
      return said
    })
  return (
    <section aria-labelledby="part" className="min-w-0">
      <Link to="/manage/site" className="link tap mb-4 lg:hidden">
        All parts of the site
      </Link>
      <h2 id="part" className="mb-2 text-2xl">
        {title}
      </h2>
      <p className="mb-5 max-w-prose text-slate">{about}</p>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <PartForm
        part={part}
        onSaved={(saved, isMerged) => {
          setMade(saved.version === version ? null : saved.version)
          const more = isMerged ? ' What somebody else changed in the meantime stays.' : ''
          return doneAndRead(
            `Saved. ${emailOf(key) === null ? 'Every page shows' : 'The next emails say'} it now.${more}`,
          )
        }}
        onTaken={() => void doneAndRead('')}
      />
      <div className="mt-3 flex min-h-11 flex-wrap items-center gap-x-4">
        <StatusMessage message={message} />
        {made === version && version > 0 && (
          <Button
            variant="outline"
            aria-busy={busy}
            onClick={() =>
              void restore(
                version - 1,
                `Undone. ${emailOf(key) === null ? 'Every page says' : 'The next emails say'} what ${emailOf(key) === null ? 'it' : 'they'} said before.`,
              )
            }
          >
            Undo
          </Button>
        )}
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-3 border-line border-t pt-5">
        <Button variant="outline" disabled={!ready} onClick={() => setIsHistoryOpen(true)}>
          History
        </Button>
        {!isSetup && (
          <Button
            variant="outline"
            disabled={!ready}
            aria-busy={busy}
            onClick={() => void restore(0, 'This is as the shop began again.')}
          >
            Return to what the shop began with
          </Button>
        )}
        <p className="muted">
          {isSetup || part.at === null ? (
            'As the shop began: nobody’s change is shown.'
          ) : (
            <>
              Version {version}, by {part.who}, <Moment at={part.at} />
            </>
          )}
        </p>
      </div>
      <Dialog
        open={isHistoryOpen}
        title={`History of ${title.toLowerCase()}`}
        onClose={() => setIsHistoryOpen(false)}
      >
        <PartHistory
          part={key}
          current={version}
          busy={busy}
          onRestore={(to) => void restore(to, `Version ${to} is there again, as a new one.`)}
        />
      </Dialog>
    </section>
  )
}
