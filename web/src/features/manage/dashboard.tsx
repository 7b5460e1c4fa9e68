import type { Attention, LedgerHealth as Health } from '@befaqt/domain/api/manage-api'
import { Link } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import { LedgerHealth } from './box/box-state.tsx'
import { ManageLayout, ReadResult } from './manage-layout.tsx'
import type { Read } from './read.ts'

/** What needs a person now, each with the way there. */
export function Dashboard({ found }: { found: Read<{ attention: Attention[]; health: Health }> }) {
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>
        {({ attention, health }) => (
          <div className="grid gap-8">
            <Attentions list={attention} />
            <LedgerHealth health={health} />
          </div>
        )}
      </ReadResult>
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
          <Icon name="check" /> Nothing. Stock, boxes, emails and the ledger are fine.
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
