import type { ApiKeyView } from '@befaqt/domain/api-key'
import { Badge } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'
import type { Column } from '../list/list-table.tsx'

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
          <Moment at={revokedAt} />
        </span>
      </>
    )
  if (!lastUsedAt) return <span className="text-slate">never used</span>
  return (
    <>
      <span className="text-slate lg:hidden">Last used </span>
      <Moment at={lastUsedAt} />
    </>
  )
}

/** What the list of keys shows. */
export const keyColumns: readonly Column<ApiKeyView>[] = [
  {
    heading: 'Key',
    isName: true,
    className: 'lg:min-w-44',
    cell: ({ name }) => <span className="font-semibold wrap-anywhere">{name}</span>,
  },
  {
    heading: 'Permissions',
    className: 'max-lg:w-full lg:min-w-44',
    cell: ({ rights }) => (
      <span className="flex flex-wrap gap-1">
        {rights.map((right) => (
          <Badge key={right} tone="teal">
            {right}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    heading: 'Boxes',
    className: 'text-sm wrap-anywhere max-lg:w-full lg:min-w-36',
    cell: ({ boxes }) => (
      <>
        <span className="text-slate lg:hidden">For </span>
        {boxWords(boxes)}
      </>
    ),
  },
  {
    heading: 'Made by',
    className: 'text-sm',
    cell: ({ madeBy, createdAt }) => (
      <>
        <span className="text-slate lg:hidden">Made by </span>
        {madeBy ?? 'the shop itself'}
        <span className="block text-slate lg:whitespace-nowrap">
          <Moment at={createdAt} />
        </span>
      </>
    ),
  },
  {
    heading: 'Last used',
    className: 'text-sm max-lg:w-full lg:whitespace-nowrap',
    cell: (key) => <LastUse of={key} />,
  },
]
