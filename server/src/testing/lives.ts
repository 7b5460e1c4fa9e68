/* Draws docs/lives.md from the tables of the lives: `npm run docs:lives`. */
import { writeFileSync } from 'node:fs'
import { complaintLife } from '@befaqt/domain/complaint'
import { type Edge, type Life, NEW } from '@befaqt/domain/life'
import { orderLife } from '@befaqt/domain/order-states'
import { paymentLife } from '@befaqt/domain/payment'
import { staffInvitationLife } from '#server/accounts/staff/invite-staff.ts'
import { deviceLife } from '#server/devices/device-life.ts'
import { excursionLife } from '#server/excursions/excursion-changes.ts'
import { invitationLife } from '#server/field/invite-supplier.ts'
import { holdLife } from '#server/orders/hold-stock.ts'
import { recallLife } from '#server/orders/recalling/recall-box.ts'

type Drawn = { name: string; file: string; table: Life }

export const lives: readonly Drawn[] = [
  { name: 'Order', file: 'domain/src/order-states.ts', table: orderLife },
  { name: 'Payment by card', file: 'domain/src/payment.ts', table: paymentLife },
  { name: 'Hold of stock', file: 'server/src/orders/hold-stock.ts', table: holdLife },
  { name: 'Recall of a box', file: 'server/src/orders/recalling/recall-box.ts', table: recallLife },
  { name: 'Complaint', file: 'domain/src/complaint.ts', table: complaintLife },
  { name: 'Excursion', file: 'server/src/excursions/excursion-changes.ts', table: excursionLife },
  { name: 'Device', file: 'server/src/devices/device-life.ts', table: deviceLife },
  { name: 'Invitation of a supplier', file: 'server/src/field/invite-supplier.ts', table: invitationLife },
  {
    name: 'Invitation to the desk',
    file: 'server/src/accounts/staff/invite-staff.ts',
    table: staffInvitationLife,
  },
]

export const livesFile = new URL('../../../docs/lives.md', import.meta.url)

const INTRODUCTION = `# Lives
Drawn by \`npm run docs:lives\` from the tables that the code reads; a test compares them. Beside an edge: what is done, by whom, what has to be so, and what follows in the same transaction, in this order. Why: [0078](decisions/0078-lives-as-tables.md).
`

/** The whole page. */
export const livesPage = (): string =>
  [INTRODUCTION, ...lives.map(section)].join('\n').replaceAll(/\n{3,}/g, '\n\n')

const section = ({ name, file, table }: Drawn): string =>
  `## ${name}
\`${file}\`
\`\`\`mermaid
${diagram(table)}
\`\`\`
`

const id = (state: string): string => (state === NEW ? '[*]' : state.replaceAll(' ', '_'))

function diagram(table: Life): string {
  const states = Object.entries(table)
  const named = states.flatMap(([state]) =>
    state.includes(' ') ? [`  state "${state}" as ${id(state)}`] : [],
  )
  const begins = NEW in table ? [] : [`  [*] --> ${id(states[0]?.[0] ?? NEW)}`]
  const edges = states.flatMap(([state, actions]) =>
    Object.entries(actions).map(
      ([action, edge]) => `  ${id(state)} --> ${id(edge.to)}: ${label(action, edge)}`,
    ),
  )
  const ends = states.flatMap(([state, actions]) =>
    Object.keys(actions).length === 0 ? [`  ${id(state)} --> [*]`] : [],
  )
  return ['stateDiagram-v2', ...named, ...begins, ...edges, ...ends].join('\n')
}

/** A colon would end the label. */
const label = (action: string, { by, only, needs = [], effects = [] }: Edge): string =>
  [
    action,
    `by ${by.join(' or ')}${only === undefined ? '' : `, ${only} only`}`,
    ...(needs.length > 0 ? [`if ${needs.join(', ')}`] : []),
    ...(effects.length > 0 ? [`then ${effects.join(', ')}`] : []),
  ]
    .join('<br>')
    .replaceAll(':', '')

if (import.meta.main) writeFileSync(livesFile, livesPage())
