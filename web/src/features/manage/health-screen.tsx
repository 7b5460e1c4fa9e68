import type { LedgerHealth, ShopHealth } from '@befaqt/domain/api/manage-api'
import type { ReactNode } from 'react'
import { Badge } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'
import { type Column, PlainTable } from './list/list-table.tsx'
import { ManageLayout, ReadResult } from './manage-layout.tsx'
import type { Read } from './read.ts'
import { useReadAgain } from './today/today-screen.tsx'

export type HealthFound = { shop: ShopHealth; ledger: LedgerHealth }

/** Health: how the ledger does, and each part that the shop runs on, as the process says that answered. */
export function HealthScreen({ found }: { found: Read<HealthFound> }) {
  useReadAgain()
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>
        {({ shop, ledger }) => (
          <div className="grid items-start gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Parts shop={shop} />
            <Ledger ledger={ledger} />
          </div>
        )}
      </ReadResult>
    </ManageLayout>
  )
}

/** What each part is for, by its name in the readiness of a process. */
const words: Readonly<Record<string, readonly [name: string, does: string]>> = {
  database: ['Database', 'everything that the shop knows'],
  migration: ['Tables', 'the database is of this version of the program'],
  queue: ['Work in the background', 'emails, pictures and webhooks are not late'],
  events: ['News between parts', 'reports, excursions and webhooks follow what happens'],
  mail: ['Email', 'none keeps failing'],
  files: ['Pictures and files', 'what was uploaded is there'],
  disk: ['Space', 'there is room on the disk'],
  broker: ['Readings by MQTT', 'the broker is connected'],
  chain: ['Chain', 'the contract of the ledger is reached'],
  nodes: ['Nodes of the chain', 'they agree, where there are several'],
  leader: ['Anchoring', 'one process writes the anchors'],
  ledger: ['Anchors', 'nothing has stopped them'],
  log: ['Log of anchors', 'nothing keeps it from being signed'],
  witnesses: ['Witnesses', 'they sign the log, where there are any'],
  stamps: ['Time stamps', 'somebody stamped the newest state of the log, where anybody is to'],
  standby: ['Standbys of the database', 'they have what it has, where there are any'],
  replica: ['Replica for reading', 'it answers, where there is one'],
  drill: ['Backups', 'the newest would be the shop again, where it was tried'],
  archives: ['Files of sealed boxes', 'none is missing or damaged'],
}

type Part = ShopHealth['parts'][number]

const columns: readonly Column<Part>[] = [
  {
    heading: 'Part',
    isName: true,
    className: 'max-lg:max-w-[75%]',
    cell: ({ name }) => (
      <>
        <span className="block font-semibold">{words[name]?.[0] ?? name}</span>
        <span className="muted">{words[name]?.[1]}</span>
      </>
    ),
  },
  {
    heading: 'State',
    className: 'lg:w-1/2',
    cell: ({ state }) =>
      state === 'ok' ? (
        <Badge tone="good">ok</Badge>
      ) : (
        <span className="font-semibold text-bad wrap-anywhere">{state}</span>
      ),
  },
]

function Parts({ shop: { parts, runs } }: { shop: ShopHealth }) {
  const wrong = parts.filter(({ state }) => state !== 'ok')
  const shown = [...wrong, ...parts.filter(({ state }) => state === 'ok')]
  return (
    <section aria-labelledby="parts" className="min-w-0">
      <h2 id="parts" className="mb-2 text-2xl">
        {wrong.length === 0
          ? 'All parts are fine'
          : `${wrong.length} of ${parts.length} parts ${wrong.length === 1 ? 'needs' : 'need'} somebody`}
      </h2>
      <p className="mb-4 max-w-prose text-slate">
        Looked at by the process that made this page, and again each minute. What to do about each is in the
        handbook of operations.
      </p>
      <PlainTable caption="Parts" columns={columns} rows={shown} idOf={({ name }) => name} />
      <p className="mt-4 muted wrap-anywhere">
        This process runs version {runs.version}, build {runs.build}, on Node {runs.node}.
      </p>
    </section>
  )
}

const SECONDS = 60

/** How long the oldest record waits: '40 s', '12 min'. */
const lagText = (seconds: number): string =>
  seconds < 2 * SECONDS ? `${Math.round(seconds)} s` : `${Math.round(seconds / SECONDS)} min`

function Ledger({ ledger }: { ledger: LedgerHealth }) {
  const { reachable, blockNumber, pendingRecords, lastAnchorAt, lagS, fault } = ledger
  const state = fault ? (
    <span className="font-semibold text-bad wrap-anywhere">{fault}</span>
  ) : (
    <Badge tone={reachable ? 'good' : 'bad'}>{reachable ? 'online' : 'can’t be reached'}</Badge>
  )
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ['State', state],
    ['Last anchor', lastAnchorAt === null ? 'none yet' : <Moment key="last" at={lastAnchorAt} />],
    ['Records that wait for one', pendingRecords.toLocaleString('en-AU')],
    ...(pendingRecords > 0 ? ([['The oldest waits for', lagText(lagS)]] as const) : []),
    ['Newest block', blockNumber === null ? 'unknown' : blockNumber.toLocaleString('en-AU')],
  ]
  return (
    <section aria-labelledby="ledger" className="min-w-0 rounded-lg border border-line bg-surface p-4 sm:p-6">
      <h2 id="ledger" className="mb-3 text-2xl">
        Ledger
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="muted">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
