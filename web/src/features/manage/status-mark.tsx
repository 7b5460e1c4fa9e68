import { Badge, type BadgeTone } from '#web/components/badge.tsx'

const tones: Readonly<Record<string, BadgeTone>> = { ACTIVE: 'good', INACTIVE: 'warn', DISABLED: 'bad' }

/** The status of a row as a word. */
export const StatusMark = ({ status }: { status: string }) => (
  <Badge tone={tones[status] ?? 'plain'}>{status}</Badge>
)
