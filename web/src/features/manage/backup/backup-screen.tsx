import { linkBackup, removeBackup, stopBackup } from '@befaqt/domain/api/endpoints/backups'
import type { BackupList, KeptBackup } from '@befaqt/domain/backup'
import { useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Moment } from '#web/time/time.tsx'
import { Confirm, CreatePanel, FailureBanner, StatusMessage } from '../form-parts.tsx'
import { type Column, PlainTable, RowAction } from '../list/list-table.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { BackupAdd } from './backup-add.tsx'
import { Making, sizeWords, useMaking } from './making.tsx'

/** Backups: the whole shop in one file, made here, downloaded, and tried by the worker. Source: scale.md. */
export function BackupScreen({ found }: { found: Read<BackupList> }) {
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>{(list) => <Backups list={list} />}</ReadResult>
    </ManageLayout>
  )
}

function Backups({ list }: { list: BackupList }) {
  const { message, done, failure, dismiss, run, ready } = useAction()
  const [ending, setEnding] = useState<KeptBackup | null>(null)
  const making = useMaking(list, () => done(''))
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('remove')
  const remove = async ({ name }: KeptBackup) => {
    await callApi(removeBackup, { params: { name } })
    removing(
      list.backups.map((one) => one.name),
      name,
    )
    setEnding(null)
    done(`Deleted ${name}.`)
  }
  const download = (name: string) =>
    run(async () => {
      const { href } = await callApi(linkBackup, { params: { name } })
      window.location.assign(href)
      return `${name} is being downloaded. If it breaks off, your browser can continue it for twelve hours.`
    })
  return (
    <>
      <Drill of={list} />
      {making.state !== null ? (
        <Making
          {...making}
          ready={ready}
          onStop={() =>
            void run(async () => {
              await callApi(stopBackup)
              return 'It is being stopped.'
            })
          }
        />
      ) : (
        <>
          {list.failed && (
            <Alert tone="bad" className="mb-4">
              <p>
                The backup of <Moment at={list.failed.at} /> did not come to be: {list.failed.words}
              </p>
            </Alert>
          )}
          <CreatePanel title="Make a backup" empty={list.backups.length === 0}>
            <BackupAdd list={list} onBegun={() => done('')} />
          </CreatePanel>
        </>
      )}
      <StatusMessage message={message} className="min-h-8" />
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <p className="mb-4 max-w-prose text-slate">
        Kept in <code className="wrap-anywhere">{list.folder}</code>
        {list.freeBytes === null ? ', which is not there yet.' : `, with ${sizeWords(list.freeBytes)} free.`}
        {list.besideShop && ' This is on the shop’s own disk: download them, or they are lost with it.'}
      </p>
      <div ref={place}>
        <PlainTable
          caption="Backups"
          columns={columns}
          rows={list.backups}
          idOf={({ name }) => name}
          empty="There is no backup of this shop here."
          actions={(backup) => (
            <>
              <RowAction
                action="download"
                label={`Download ${backup.name}`}
                disabled={!ready}
                onClick={() => void download(backup.name)}
              >
                Download
              </RowAction>
              <RowAction
                action="remove"
                label={`Delete ${backup.name}`}
                disabled={!ready}
                onClick={() => setEnding(backup)}
              >
                Delete
              </RowAction>
            </>
          )}
        />
      </div>
      <p className="mt-3 text-slate">
        A shop that nobody has used yet{' '}
        <Link to="/user/restore/own" className="link">
          can be restored from a backup
        </Link>
        .
      </p>
      {list.more > 0 && <p className="mt-3 text-slate">and {list.more} older ones</p>}
      <Dialog open={ending !== null} title={`Delete ${ending?.name ?? ''}?`} onClose={() => setEnding(null)}>
        {ending && (
          <Confirm
            action="Delete it for good"
            onClose={() => setEnding(null)}
            onConfirm={() => remove(ending)}
          >
            <p>Its file is removed from the folder. Copies elsewhere stay as they are.</p>
          </Confirm>
        )}
      </Dialog>
    </>
  )
}

/** Whether a shop came of one when it was tried. A backup that nobody tried is a hope. */
function Drill({ of: { drill, drills } }: { of: BackupList }) {
  const how = drills
    ? 'The worker tries the newest each week.'
    : 'Nothing tries them by itself: set BACKUP_DIR, or run befaqt drill.'
  if (drill === null)
    return (
      <Alert tone="warn" className="mb-6">
        <p>No backup was ever tried: whether a shop comes of one isn’t known. {how}</p>
      </Alert>
    )
  if (drill.ok)
    return (
      <Alert tone="good" className="mb-6">
        <p>
          {drill.backup ?? 'A backup'} was tried on <Moment at={drill.at} />, and would be the shop again.{' '}
          {how}
        </p>
      </Alert>
    )
  return (
    <Alert tone="bad" className="mb-6">
      <p>
        {drill.backup ?? 'The newest backup'} was tried on <Moment at={drill.at} />, and would not be the shop
        again. {drill.goodAt === null ? 'None ever was.' : <LastGood at={drill.goodAt} />}
      </p>
      <ul className="mt-2 list-disc pl-5">
        {drill.problems.map((words) => (
          <li key={words} className="wrap-anywhere">
            {words}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

const LastGood = ({ at }: { at: string }) => (
  <>
    The last good one was tried on <Moment at={at} />.
  </>
)

const columns: readonly Column<KeptBackup>[] = [
  {
    heading: 'Backup',
    isName: true,
    className: 'xl:min-w-48',
    cell: ({ name }) => <b className="font-semibold wrap-anywhere">{name}</b>,
  },
  { heading: 'Made', className: 'xl:min-w-28', cell: ({ at, made }) => <Moment at={made?.madeAt ?? at} /> },
  { heading: 'Size', className: 'whitespace-nowrap', cell: ({ bytes }) => sizeWords(bytes) },
  {
    heading: 'Version',
    labelled: true,
    cell: ({ made }) => made?.version ?? <span className="muted">not noted</span>,
  },
  { heading: 'Encrypted', className: 'whitespace-nowrap', cell: (backup) => <Seal of={backup} /> },
  { heading: 'What it lacks', labelled: true, cell: (backup) => <Lacks of={backup} /> },
]

function Seal({ of: { encrypted, made } }: { of: KeptBackup }) {
  if (encrypted === null) return <Badge tone="bad">not a backup</Badge>
  if (!encrypted) return <Badge tone="warn">not encrypted</Badge>
  return <Badge tone="good">{made?.secrets ? 'encrypted, with the key' : 'encrypted'}</Badge>
}

function Lacks({ of: { made } }: { of: KeptBackup }) {
  if (made === null) return <span className="muted">Made by the command, which said so itself</span>
  const files = made.missingCount
  if (files === 0 && made.secrets) return 'nothing'
  return (
    <>
      {!made.secrets && <span>secret.key, to be kept apart. </span>}
      {files > 0 && (
        <span className="text-bad wrap-anywhere">
          {files.toLocaleString('en')} {files === 1 ? 'file' : 'files'} that the store did not have:{' '}
          {made.missing.join(', ')}
        </span>
      )}
    </>
  )
}
