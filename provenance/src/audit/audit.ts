import { EMPTY, verifyBox } from '../box-map.ts'
import type { AbsenceBundle } from '../bundle.ts'
import type { AnchorChanges, AnchorFacts } from '../bundle-parts.ts'
import type { LedgerAnchor, LedgerReader } from '../ledger.ts'
import { blockTimeSeconds } from '../validate.ts'
import type { AuditState } from './audit-state.ts'
import { type Finding, FollowedMap } from './audit-state.ts'

/** What an auditor reads from a shop. Every method rejects when the shop can't be reached or its response is invalid. */
export interface ShopAnchors {
  /** Anchors from this index on, in order; not necessarily all. */
  anchorsFrom(index: number): Promise<readonly AnchorFacts[]>
  /** All that changed at an anchor. */
  changesAt(index: number): Promise<AnchorChanges>
  /** The proof that there is no such box; undefined when the shop gives none. */
  absenceOf(box: string): Promise<AbsenceBundle | undefined>
}

export interface Audit {
  readonly state: AuditState
  /** Anchors that the contract held. */
  readonly held: number
}

/** An anchor that is older than this and not published is withheld, not just delayed. */
const ON_ITS_WAY_S = 3_600
/** Boxes that are requested one by one when the published changes do not produce the anchored map. */
const MAX_ASKED = 1_000

/**
 * Follows the map of all boxes from one state to the contract's newest anchor that the shop tells, by the changed
 * leaves alone: rebuilds every root and compares it with the contract. Stops at an anchor that does not add up, so that
 * the next audit begins there again. Source: protocol §6, Auditor.
 * @param nowS seconds since 1970
 * @throws when ledger or shop can't be reached, or the state is of another contract
 */
export async function audit(
  shop: ShopAnchors,
  ledger: LedgerReader,
  former: AuditState | undefined,
  nowS: number,
): Promise<Audit> {
  const identity = await ledger.identity()
  const state = former ?? { ...identity, next: 0, root: EMPTY, states: [], findings: [] }
  if (state.chainId !== identity.chainId || state.contract !== identity.contract)
    throw new Error(`This state is of contract ${state.contract} on chain ${state.chainId}.`)
  const map = new FollowedMap(state.states)
  if (map.root !== state.root) throw new Error('The states do not make the root that this audit had.')
  const held = await ledger.count()
  const { next, findings } = (await continues(ledger, state, held))
    ? await followAll(shop, ledger, map, { next: state.next, held, nowS })
    : { next: state.next, findings: [rewritten(state.next - 1)] }
  const found = { ...identity, next, root: map.root, states: map.states() }
  return { state: { ...found, findings: merged(state.findings, findings) }, held }
}

/** Does the contract still hold what was followed? */
async function continues(ledger: LedgerReader, { next, root }: AuditState, held: number): Promise<boolean> {
  if (next === 0) return true
  if (held < next) return false
  const [before] = await ledger.anchorsOf([next - 1])
  return before?.root === root
}

const rewritten = (index: number): Finding => ({
  index,
  code: 'rewritten',
  words: `The contract no longer holds anchor ${index} as it was audited.`,
})

type Way = { next: number; held: number; nowS: number }

async function followAll(
  shop: ShopAnchors,
  ledger: LedgerReader,
  map: FollowedMap,
  { next: from, held, nowS }: Way,
): Promise<{ next: number; findings: Finding[] }> {
  const findings: Finding[] = []
  let next = from
  for (;;) {
    const told = next < held ? (await shop.anchorsFrom(next)).filter(({ index }) => index < held) : []
    if (told.length === 0) break
    const anchors = await ledger.anchorsOf(told.map(({ index }) => index))
    for (const [i, facts] of told.entries()) {
      const anchor = anchors[i]
      if (facts.index < next || anchor === undefined)
        throw new Error('The shop returns anchors out of order.')
      if (facts.index > next) findings.push(gap(next, facts.index - 1))
      const step = await followOne(shop, map, facts, anchor)
      findings.push(...step.findings)
      if (!step.adds) {
        const gone = await vanished(shop, ledger, map, facts.index)
        return { next, findings: [...findings, ...gone] }
      }
      next = facts.index + 1
    }
  }
  if (next < held) {
    const [waiting] = await ledger.anchorsOf([next])
    if (waiting !== undefined && nowS - waiting.time > ON_ITS_WAY_S) findings.push(gap(next, held - 1))
  }
  return { next, findings }
}

/** Anchors that the contract holds and the shop does not report: withheld, or lost with a backup. */
const gap = (index: number, last: number): Finding => ({
  index,
  code: 'not_told',
  words: `The shop does not say what changed at anchor ${index}${last > index ? ` to ${last}` : ''}.`,
})

/** One anchor: `adds` is false when its changes do not make the contract's root, and then the map is as it was. */
async function followOne(
  shop: ShopAnchors,
  map: FollowedMap,
  facts: AnchorFacts,
  { root, time, boxes, records }: LedgerAnchor,
): Promise<{ adds: boolean; findings: Finding[] }> {
  const { index } = facts
  const changes = await shop.changesAt(index)
  const step = map.follow(index, changes.leaves)
  const found = (code: Finding['code'], words: string): Finding => ({ index, code, words })
  const findings = [...step.findings]
  if ([facts, changes].some((told) => !isOf(told, { index, root, time })))
    findings.push(found('told_otherwise', `The shop returns another root or time for anchor ${index}.`))
  if (step.root !== root) {
    const words = `The changes that the shop returns for anchor ${index} do not give its map.`
    return { adds: false, findings: [...findings, found('root_differs', words)] }
  }
  step.accept()
  if (step.boxes !== boxes || step.records !== records) {
    const words = `Anchor ${index} names ${boxes} boxes and ${records} new records; its map holds ${step.boxes}, and ${step.records} are new.`
    findings.push(found('numbers_differ', words))
  }
  return { adds: true, findings }
}

const isOf = (told: AnchorFacts, { index, root, time }: { index: number; root: string; time: number }) =>
  told.index === index && told.root === root && blockTimeSeconds(told.time) === time

/** Boxes that were there, and of which the shop now proves itself that they are not. */
async function vanished(
  shop: ShopAnchors,
  ledger: LedgerReader,
  map: FollowedMap,
  index: number,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { box } of map.states().slice(0, MAX_ASKED)) {
    const absence = await shop.absenceOf(box)
    if (absence === undefined || absence.box !== box || absence.anchor.index < index) continue
    const [anchor] = await ledger.anchorsOf([absence.anchor.index])
    const { other, path } = absence
    if (anchor !== undefined && verifyBox(box, { leaf: null, other, path }, anchor.root))
      findings.push({ index, code: 'vanished', box, words: `Box ${box} was taken out of the map.` })
  }
  return findings
}

/** What was found before and now, each once. */
function merged(before: readonly Finding[], now: readonly Finding[]): Finding[] {
  const keyOf = ({ index, code, box = '' }: Finding): string => `${index} ${code} ${box}`
  return [...new Map([...before, ...now].map((finding) => [keyOf(finding), finding])).values()]
}
