import { listSiteVersions } from '@befaqt/domain/api/endpoints/manage'
import type { SiteValue, SiteVersion } from '@befaqt/domain/site-settings'
import { useCallback } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Moment } from '#web/time/time.tsx'
import { type Difference, differences } from '../list/differences.ts'
import { ChangeList, DifferenceTable } from '../list/history-dialog.tsx'
import type { PartAsked } from '../list/use-pages.ts'
import { changedLines, termsText } from './site-values.ts'

type Props = {
  part: string
  /** The version that the site shows. */
  current: number
  busy: boolean
  onRestore: (version: number) => void
}

/** Who changed a part, when, and what was there before and after; each version can be had again. */
export function PartHistory({ part, current, busy, onRestore }: Props) {
  const read = useCallback(
    ({ page = 1 }: PartAsked) => callApi(listSiteVersions, { params: { part }, query: { page } }),
    [part],
  )
  return (
    <ChangeList read={read} keyOf={({ version }) => version} none="Nobody has changed this yet.">
      {(row) => (
        <>
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
                aria-busy={busy}
                onClick={() => onRestore(row.version)}
              >
                Restore this
              </Button>
            </div>
          )}
        </>
      )}
    </ChangeList>
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

function said({ part: _, ...rest }: SiteValue): object {
  if (!('areas' in rest)) return rest
  const { areas } = rest
  return { areas: areas.map((one) => `${one.area} (${one.postcodes.join(', ')}): ${termsText(one)}`) }
}
