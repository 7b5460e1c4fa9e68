import type { Obstacle } from '@befaqt/provenance/attack/attack'
import type { AttackName } from '@befaqt/provenance/attack/attacks'
import type { Change } from '@befaqt/provenance/attack/compare-scenes'
import type { AlertTone } from '#web/components/alert.tsx'
import type { VerdictLine } from '../check/check-state.ts'

/* What the lab's page and its worker tell each other. */

/** Attacks on proof, node and log, and those on what only the shop's page shows. */
export type LabAttack = AttackName | 'page' | 'file'

/** One attack on the copy. `seq`: the record that it is about; 0 where it is about none. */
export type Move = { attack: LabAttack; seq: number }

/** Why an attack can't be made on this box. */
export type LabObstacle = Obstacle | 'no_file'

/** A record that an attack can be about, with what tells it from others. */
export type Target = {
  seq: number
  kind: string
  at: string
  temperature: number | null
  grams: number | null
}

/** Whether an attack can be made: on which records, the first choice among them, or why not. */
export type Choice = { targets: readonly Target[]; first: number } | { obstacle: LabObstacle }

/** The checks of a box in the order in which the lab counts them. */
export const labChecks = [
  'read',
  'rebuild',
  'prove',
  'ledger',
  'continuity',
  'complete',
  'log',
  'signatures',
  'weights',
  'page',
  'files',
] as const
export type LabCheck = (typeof labChecks)[number]

/** `left`: there was nothing to check, or it was not reached. */
export type CheckMark = { check: LabCheck; state: 'done' | 'failed' | 'left' }

/** Why a check failed, in the words of the verifier or of the page's own check. */
export type Finding = { check: LabCheck; text: string; seq?: number }

/** Who could notice, beside whom the box was shown to. */
export const judges = ['page', 'returning', 'checker', 'receipt', 'witness'] as const
export type Judge = (typeof judges)[number]

/**
 * `sees`: it says so. `untouched`: what it looks at was not tampered with. `blind`: it is told the same lie. `none`: this
 * shop has nothing of the kind.
 */
export type Sight = 'sees' | 'untouched' | 'blind' | 'none'

/** What one move changed; `isVoid`: what it was about had gone by then. */
export type MoveResult = {
  move: Move
  isVoid: boolean
  changes: readonly LabChange[]
  /** So many changes are not listed. */
  more: number
}

/** A change of the proof, or of a value or file of the page. */
export type LabChange = Change | PageChange
export type PageChange = {
  of: 'page' | 'file'
  name: string
  should: string
  is: string
}

/** What the check finds after all moves. */
export type Outcome = {
  /** What the box page would say, and how that looks. */
  line: VerdictLine & { alert: AlertTone }
  checks: readonly CheckMark[]
  findings: readonly Finding[]
  moves: readonly MoveResult[]
  /** null where nothing was tampered with. */
  sights: Readonly<Record<Judge, Sight>> | null
}

/** The box on the bench. */
export type LabBox = {
  boxID: string
  species: string | null
  records: number
  choices: Readonly<Record<LabAttack, Choice>>
  /** Of the untouched copy. */
  outcome: Outcome
}

/** What to take: a box, and whom the visitor's checks ask. */
export type LabOrder = {
  boxID: string
  nodes: readonly string[]
  /** The contract that the shop names; null: the one of the proof. */
  contract: string | null
  market: { timeZone: string; latitude: number; longitude: number }
}

/** To the worker, and back. */
export type LabQuestion = { type: 'open'; order: LabOrder } | { type: 'try'; moves: readonly Move[] }
export type LabAnswer =
  | { type: 'open'; box: LabBox }
  | { type: 'tried'; moves: readonly Move[]; outcome: Outcome }
  | { type: 'failed'; message: string }
