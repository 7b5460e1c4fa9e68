import type { ApiKeyView } from '@befaqt/domain/api-key'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/features/account/use-hydrated.ts'
import { When } from '#web/features/box/when.tsx'

/** Classes of the grid that a key's cells stand in on a wide screen. */
export const keyGrid = 'lg:grid-cols-[minmax(11rem,1fr)_minmax(11rem,1fr)_minmax(9rem,1fr)_11rem_9rem_12rem]'

const SHOWN_BOXES = 6

/** The boxes that a key may touch; of many the first, with how many there are. */
function boxWords(boxes: ApiKeyView['boxes']): string {
  if (boxes === null) return 'all boxes'
  const more = boxes.length - SHOWN_BOXES
  return `${boxes.slice(0, SHOWN_BOXES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function LastUse({ of: { lastUsedAt, revokedAt } }: { of: ApiKeyView }) {
  if (revokedAt)
    return (
      <>
        <Badge tone="bad">revoked</Badge>
        <span className="block text-slate">
          <When text={revokedAt} />
        </span>
      </>
    )
  if (!lastUsedAt) return 'never used'
  return (
    <>
      <span className="text-slate lg:sr-only">Last used </span>
      <When text={lastUsedAt} />
    </>
  )
}

type Props = { of: ApiKeyView; onRevoke?: () => void; onHistory: () => void }

/** One key of the list; one that is revoked can't be revoked again. */
export function KeyRow({ of, onRevoke, onHistory }: Props) {
  const { name, rights, boxes, madeBy, createdAt } = of
  const hydrated = useHydrated()
  return (
    <li className="border-line border-b px-3 py-3 odd:bg-surface even:bg-ice">
      <div className={`flex flex-wrap items-center gap-x-5 gap-y-2 lg:grid lg:gap-x-4 ${keyGrid}`}>
        <span className="font-semibold wrap-anywhere max-lg:w-full">{name}</span>
        <span className="flex flex-wrap gap-1 max-lg:w-full">
          {rights.map((right) => (
            <Badge key={right} tone="teal">
              {right}
            </Badge>
          ))}
        </span>
        <span className="text-sm wrap-anywhere max-lg:w-full">
          <span className="text-slate lg:sr-only">For </span>
          {boxWords(boxes)}
        </span>
        <span className="text-sm">
          <span className="text-slate lg:sr-only">Made by </span>
          {madeBy ?? 'the shop itself'}
          <span className="block text-slate">
            <When text={createdAt} />
          </span>
        </span>
        <span className="text-sm">
          <LastUse of={of} />
        </span>
        <div className="flex flex-wrap gap-1 max-lg:w-full lg:justify-end">
          {onRevoke && (
            <Button
              look="quiet"
              className="px-3"
              data-action="revoke"
              disabled={!hydrated}
              onClick={onRevoke}
              aria-label={`Revoke ${name}`}
            >
              Revoke
            </Button>
          )}
          <Button
            look="plain"
            className="px-3"
            data-action="history"
            disabled={!hydrated}
            onClick={onHistory}
            aria-label={`History of ${name}`}
          >
            History
          </Button>
        </div>
      </div>
    </li>
  )
}
