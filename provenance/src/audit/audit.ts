import { type BoxProof, EMPTY, verifyBox } from '../box-map.ts'
import type { AbsenceBundle } from '../bundle.ts'
import type { AnchorChanges, AnchorFacts } from '../bundle-parts.ts'
import type { LedgerAnchor, LedgerReader } from '../ledger.ts'
import { blockTimeSeconds } from '../validate.ts'
import type { AuditState, Finding } from './audit-state.ts'
import { type AuditedMap, FollowedMap, followAnchor, type Step } from './follow-anchor.ts'
import { takenOut } from './vanished.ts'

/** What an auditor reads from a shop. Every method rejects when the shop can't be reached or its response is invalid. */
export interface ShopAnchors {
  /** Anchors from this index on, in order; not necessarily all. */
  anchorsFrom(index: number): Promise<readonly AnchorFacts[]>
  /** All that changed at an anchor, page by page. */
  changesAt(index: number): AsyncIterable<AnchorChanges>
  /** The proof that there is no such box; undefined when the shop gives none. */
  absenceOf(box: string): Promise<AbsenceBundle | undefined>
}

export interface Audit {
  readonly state: AuditState
  /** Anchors that the contract held. */
  readonly held: number
}

/** An anchor that is older than this and not published is withheld, not just delayed. */
export const ON_ITS_WAY_S = 3_600
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
      if (facts.index > next) findings.push(notTold(next, facts.index - 1))
      const { step, findings: found, gone } = await followOne(shop, map, facts.index, anchor, facts)
      findings.push(...found)
      if (step.root !== anchor.root) {
        if (gone === undefined) findings.push(...(await denied(shop, ledger, map, facts.index)))
        return { next, findings }
      }
      map.accept(step)
      next = facts.index + 1
    }
  }
  if (next < held) {
    const [waiting] = await ledger.anchorsOf([next])
    if (waiting !== undefined && nowS - waiting.time > ON_ITS_WAY_S) findings.push(notTold(next, held - 1))
  }
  return { next, findings }
}

/** Anchors that the contract holds and the shop does not report: withheld, or lost with a backup. */
const notTold = (index: number, last: number): Finding => ({
  index,
  code: 'not_told',
  words: `The shop does not say what changed at anchor ${index}${last > index ? ` to ${last}` : ''}.`,
})

/** An anchor that was followed: what the map would be, and what is wrong with it. */
export interface Followed {
  readonly step: Step
  readonly findings: readonly Finding[]
  /** Where one box alone was taken out without a word: the proof that the anchor does not hold it. */
  readonly gone?: { readonly box: string; readonly absence: BoxProof }
}

/**
 * Follows one anchor from the map before, which stays as it is, and compares what comes of it with what the ledger holds.
 * @param listed the anchor as the shop's list has it
 */
export async function followOne(
  shop: Pick<ShopAnchors, 'changesAt'>,
  map: AuditedMap,
  index: number,
  anchor: LedgerAnchor,
  listed?: AnchorFacts,
): Promise<Followed> {
  const { root, time, boxes, records } = anchor
  let isTrue = listed === undefined || isOf(listed, { index, root, time })
  let isTold = false
  async function* pages(): AsyncIterable<AnchorChanges> {
    for await (const page of shop.changesAt(index)) {
      isTold = true
      isTrue &&= isOf(page, { index, root, time })
      yield page
    }
  }
  const step = await followAnchor(map, { index, records }, pages())
  if (!isTold) return { step, findings: [notTold(index, index)] }
  const found = (code: Finding['code'], words: string): Finding => ({ index, code, words })
  const findings = [...step.findings]
  if (!isTrue)
    findings.push(found('told_otherwise', `The shop returns another root or time for anchor ${index}.`))
  if (step.root !== root) {
    const words = `The changes that the shop returns for anchor ${index} do not give its map.`
    findings.push(found('root_differs', words))
    const gone = await takenOut(map, step, root)
    if (gone === undefined) return { step, findings }
    return { step, findings: [...findings, vanished(index, gone.box)], gone }
  }
  if (step.boxes !== boxes || step.records !== records) {
    const words = `Anchor ${index} names ${boxes} boxes and ${records} new records; its map holds ${step.boxes}, and ${step.records} are new.`
    findings.push(found('numbers_differ', words))
  }
  return { step, findings }
}

const vanished = (index: number, box: string): Finding => ({
  index,
  code: 'vanished',
  box,
  words: `Box ${box} was taken out of the map.`,
})

const isOf = (told: AnchorFacts, { index, root, time }: { index: number; root: string; time: number }) =>
  told.index === index && told.root === root && blockTimeSeconds(told.time) === time

/** Boxes that were there, and of which the shop now proves itself that they are not: several were taken out at once. */
async function denied(
  shop: ShopAnchors,
  ledger: LedgerReader,
  map: FollowedMap,
  index: number,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const box of [...map.boxIDs()].slice(0, MAX_ASKED)) {
    const absence = await shop.absenceOf(box)
    if (absence === undefined || absence.box !== box || absence.anchor.index < index) continue
    const [anchor] = await ledger.anchorsOf([absence.anchor.index])
    const { other, path } = absence
    if (anchor !== undefined && verifyBox(box, { leaf: null, other, path }, anchor.root))
      findings.push(vanished(index, box))
  }
  return findings
}

/** What was found before and now, each once. */
function merged(before: readonly Finding[], now: readonly Finding[]): Finding[] {
  const keyOf = ({ index, code, box = '' }: Finding): string => `${index} ${code} ${box}`
  return [...new Map([...before, ...now].map((finding) => [keyOf(finding), finding])).values()]
}
