import { listSiteVersions } from '@befaqt/domain/api/endpoints/manage'
import type { SiteValue, SiteVersion } from '@befaqt/domain/site-settings'
import { useCallback } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { Moment } from '#web/time/time.tsx'
import { ErrorBanner } from '../form-parts.tsx'
import { type Difference, differences } from '../list/differences.ts'
import { DifferenceTable } from '../list/history-dialog.tsx'
import { usePages } from '../list/use-pages.ts'
import { changedLines } from './site-values.ts'

type Props = {
  part: string
  /** The version that the site shows. */
  current: number
  busy: boolean
  onRestore: (version: number) => void
}

/** Who changed a part, when, and what was there before and after; each version can be had again. */
export function PartHistory({ part, current, busy: restoring, onRestore }: Props) {
  const read = useCallback(
    (page: number) => callApi(listSiteVersions, { params: { part }, query: { page } }),
    [part],
  )
  const { rows, total, hasMore, busy, failure, more } = usePages(read, ({ version }) => version)
  if (total === 0) return <p className="text-slate">Nobody has changed this yet.</p>
  return (
    <>
      <ol className="grid gap-6">
        {rows.map((row) => (
          <li key={row.version} className="grid gap-2 border-line border-l-4 pl-4">
            <p>
              <b className="font-semibold">{row.who}</b> {deedOf(row)}{' '}
              <span className="text-slate">{row.at && <Moment at={row.at} />}</span>
            </p>
            {row.before === null ? (
              <p className="muted">What was there before is not kept any more.</p>
            ) : (
              <DifferenceTable caption="What changed" rows={changesOf(row.before, row.after)} />
            )}
            {row.version !== current && (
              <div>
                <Button
                  variant="outline"
                  aria-label={`Restore this, version ${row.version}`}
                  aria-busy={restoring}
                  onClick={() => onRestore(row.version)}
                >
                  Restore this
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
      <div className="mt-5">
        {failure && <ErrorBanner message={failure} />}
        {total === null && busy && <Spinner label="Loading the history" />}
        {(failure !== null || (total !== null && hasMore)) && (
          <Button variant="outline" aria-disabled={busy} onClick={more}>
            {busy ? 'Loading…' : failure ? 'Try again' : 'Older changes'}
          </Button>
        )}
      </div>
    </>
  )
}

const deedOf = ({ version, restored }: SiteVersion): string =>
  restored === null
    ? `made version ${version}`
    : `made version ${version} by restoring ${restored === 0 ? 'what the shop began with' : `version ${restored}`}`

/** What changed, of a text the lines that did. */
const changesOf = (before: SiteValue, after: SiteValue): Difference[] =>
  differences(said(before), said(after)).map((one) =>
    one.field === 'text' ? { ...one, ...changedLines(one.from, one.to) } : one,
  )

const said = ({ part: _, ...rest }: SiteValue): object => rest
