import type { Attention, LedgerHealth as Health } from '@befaqt/domain/api/manage-api'
import { Link } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import { LedgerHealth } from './box/ledger-health.tsx'
import { ManageLayout } from './manage-layout.tsx'
import type { Read } from './read.ts'
import { ReadResult } from './read-result.tsx'

const screens = [
  ['/manage/order', 'Manage Order', 'The queue: pack, hand out, cancel, print'],
  ['/manage/slot', 'Manage Slot', 'Times for pick-up and delivery, weekly and by hand'],
  ['/manage/user', 'Manage User', 'Names, roles and status of accounts'],
  ['/manage/category', 'Manage Category', 'What the shop is divided into'],
  ['/manage/product', 'Manage Product', 'Prices, stock, pictures; many at once or by CSV'],
  ['/manage/box', 'Manage Box', 'Catches, records, seals, labels and the ledger'],
  ['/manage/trade', 'Manage Trade', 'EPCIS and FSMA 204 of many boxes, and import of EPCIS'],
  ['/manage/excursion', 'Manage Excursion', 'Warm stretches and silent sensors, and who is told'],
  ['/manage/supplier', 'Manage Supplier', 'Who records catches and hand-overs by phone'],
  ['/manage/device', 'Manage Device', 'Loggers and phones that sign readings; who is silent'],
  ['/manage/tracker', 'Manage Tracker', 'Devices of other services, and with which box each travels'],
  ['/station', 'Station', 'Results of an e-eye or e-nose that has no API, by hand or with a key'],
  ['/manage/mail', 'Manage Mail', 'Emails that could not be delivered'],
  ['/manage/key', 'Manage Key', 'Which machines may do what with the shop’s API'],
] as const

/** What needs a person now, each with the way there, and the other screens. */
export function Dashboard({ found }: { found: Read<{ attention: Attention[]; health: Health }> }) {
  return (
    <ManageLayout title="Manage" help={false}>
      <ReadResult found={found}>
        {({ attention, health }) => (
          <div className="grid gap-8">
            <Attentions list={attention} />
            <LedgerHealth health={health} />
          </div>
        )}
      </ReadResult>
      <ul className="mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {screens.map(([to, title, description]) => (
          <li key={to} className="relative rounded-lg border border-line bg-surface p-5 hover:border-teal">
            <h2 className="mb-1 text-xl">
              <Link to={to} className="after:absolute after:inset-0 after:rounded-lg hover:text-teal">
                {title}
              </Link>
            </h2>
            <p className="text-slate">{description}</p>
          </li>
        ))}
      </ul>
    </ManageLayout>
  )
}

function Attentions({ list }: { list: readonly Attention[] }) {
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className="mb-3 text-2xl">
        Needs attention
      </h2>
      {list.length === 0 ? (
        <p className="flex items-center gap-3 rounded-md bg-good-ice p-4 text-good">
          <Icon name="check" /> Nothing. Stock, boxes, mail and the ledger are as they should be.
        </p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {list.map(({ kind, words, href }) => (
            <li key={kind} id={kind}>
              <Link to={href} className="flex min-h-12 items-center gap-4 py-2 hover:text-teal">
                <span className="size-2.5 shrink-0 rounded-full bg-coral" aria-hidden="true" />
                <span className="min-w-0 flex-1">{words}</span>
                <Icon name="right" className="size-5" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
