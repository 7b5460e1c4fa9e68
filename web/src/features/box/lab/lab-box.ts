import { urlOf } from '@befaqt/domain/api/endpoint'
import { listBoxes, readBoxPage, readProof } from '@befaqt/domain/api/endpoints/boxes'
import { FormatError, LedgerError, type LedgerReader } from '@befaqt/provenance'
import { type Asked, askedOf } from '@befaqt/provenance/asked'
import { type AttackName, attacks } from '@befaqt/provenance/attack/attacks'
import { changesBetween } from '@befaqt/provenance/attack/compare-scenes'
import { answering, answersOf, honestScene, type Scene } from '@befaqt/provenance/attack/scene'
import { type ProofBundle, parseBundle } from '@befaqt/provenance/bundle'
import { isWithheld } from '@befaqt/provenance/bundle-parts'
import { parseJsonText } from '@befaqt/provenance/canonical'
import { compare } from '../check/box-checker.ts'
import { alertTones, mayBeStale, otherFileLine, verdictLine } from '../check/check-state.ts'
import type { ProvablePage, ShownPage } from '../check/page-match.ts'
import { checkFiles, type FileFound, type GetBytes, namedFiles } from '../check/record-files.ts'
import { findingsOf, marksOf, sightsOf } from './judge.ts'
import type {
  Choice,
  LabAttack,
  LabBox,
  LabChange,
  LabOrder,
  Move,
  MoveResult,
  Outcome,
  Target,
} from './lab-types.ts'
import { filesOf, pageOf, type Stage, withDearerFish, withOtherFile } from './page-attacks.ts'

/** How the lab reaches the shop and the ledger, once, when a box is put on the bench. */
export type LabReach = {
  /** The text at a path of the shop; undefined when there is none. Rejects when the shop can't be reached. */
  get: (path: string) => Promise<string | undefined>
  bytes: GetBytes
  /** The ledger that a contract is read from. */
  ledger: (nodes: readonly string[], contract: string) => LedgerReader
  /** The address of the shop's pages. */
  from: string
  wait: (ms: number) => Promise<unknown>
}

/** Why a box can't be put on the bench, in words for the visitor. */
export class NotOpened extends Error {}

/** Checking a longer one after each press would take longer than anybody waits. */
const MAX_RECORDS = 2_000
/** Records to choose from. */
const MAX_TARGETS = 60
/** An anchor that just landed is known to the ledger before it is to the shop. */
const RETRY_MS = [0, 800, 2500]

/** A copy of a real box: its proof, its page, its files, and what the ledger said. From then on nobody is asked. */
export class LabCopy {
  readonly #order: LabOrder
  readonly #stage: Stage
  readonly #shown: ShownPage
  readonly #files: readonly FileFound[]
  readonly #asked: Asked

  private constructor(
    order: LabOrder,
    scene: Scene,
    shown: ShownPage,
    files: readonly FileFound[],
    asked: Asked,
  ) {
    this.#order = order
    this.#stage = { scene, species: null, replaced: new Set() }
    this.#shown = shown
    this.#files = files
    this.#asked = asked
  }

  /** Fetches a box and asks the ledger about it. @throws NotOpened */
  static async take(order: LabOrder, reach: LabReach): Promise<LabCopy> {
    for (const [i, wait] of RETRY_MS.entries()) {
      await reach.wait(wait)
      const copy = await LabCopy.#takeOnce(order, reach)
      if (i + 1 === RETRY_MS.length || !(await copy.#isStale())) return copy
    }
    throw new NotOpened(NOT_READ)
  }

  static async #takeOnce(order: LabOrder, reach: LabReach): Promise<LabCopy> {
    const { boxID, market } = order
    const params = { boxID }
    const [proof, page] = await Promise.all([
      textOf(reach, urlOf(readProof, { params, query: { log: '1', scales: '1' } })),
      textOf(reach, urlOf(readBoxPage, { params })),
    ])
    if (proof === undefined || page === undefined)
      throw new NotOpened(`The shop has no box ${boxID}. Type the number of another.`)
    const bundle = bundleIn(proof)
    if (bundle.records.length > MAX_RECORDS)
      throw new NotOpened(`Box ${boxID} has over ${MAX_RECORDS} records: too many to try this out on.`)
    const other = await anotherProof(boxID, reach)
    const contract = order.contract ?? bundle.ledger.contract
    const nodes = order.nodes.length > 0 ? order.nodes : [bundle.ledger.rpc]
    const reader = reach.ledger(nodes, contract)
    const answers = await answersOf(reader, other ? [bundle, other] : [bundle]).catch(() => {
      throw new NotOpened(NOT_READ)
    })
    const view = JSON.parse(page) as ProvablePage // compared with the records, field by field
    const files = await checkFiles(namedFiles(view.box), reach.bytes)
    const question = { read: nodes, isChosen: order.nodes.length > 0, shop: [reach.from, bundle.ledger.rpc] }
    const asked = await askedOf(answering(answers), question)
    return new LabCopy(order, honestScene(bundle, answers, other), { view, market }, files, asked)
  }

  async #isStale(): Promise<boolean> {
    const { found } = await this.#check(this.#stage)
    return mayBeStale({ type: 'done', ...found })
  }

  /** What is on the bench, and what can be done to it. */
  async describe(): Promise<LabBox> {
    const { scene } = this.#stage
    const names = Object.keys(attacks) as AttackName[]
    const choices = names.map((name): [LabAttack, Choice] => [name, choiceOf(name, scene)])
    const { catchProv } = this.#shown.view.box
    const isThere = this.#files.some(({ state }) => state === 'same')
    const ofPage: [LabAttack, Choice][] = [
      ['page', catchProv === null ? { obstacle: 'no_catch' } : ANY],
      ['file', isThere ? ANY : { obstacle: 'no_file' }],
    ]
    const outcome = await this.attempt([])
    await this.#fetchTheRest()
    return {
      boxID: this.#order.boxID,
      species: catchProv?.species ?? null,
      records: scene.bundle.records.length,
      choices: Object.fromEntries([...choices, ...ofPage]) as LabBox['choices'],
      outcome,
    }
  }

  /** What the check fetches only when something is wrong, now that there is a network. */
  async #fetchTheRest(): Promise<void> {
    for (const attack of ['other-box', 'take-last'] as const) await this.attempt([{ attack, seq: 0 }])
  }

  /** Makes these moves one after the other on the untouched copy, and checks what comes of it as the box page does. */
  async attempt(moves: readonly Move[]): Promise<Outcome> {
    let stage = this.#stage
    const results: MoveResult[] = []
    for (const move of moves) {
      const done = await this.#make(move, stage)
      results.push({ move, isVoid: done === null, changes: done?.changes ?? [], more: done?.more ?? 0 })
      stage = done?.stage ?? stage
    }
    const { found, view, files } = await this.#check(stage)
    const { boxID } = this.#order
    const said = verdictLine({ phase: 'done', source: { from: 'shop' }, steps: [], ...found }, boxID)
    const isOther = files.some(({ state }) => state === 'differs') && said.tone !== 'bad'
    const line = isOther ? otherFileLine : said
    const findings = findingsOf(found, view, files)
    const isTouched = results.some(({ isVoid }) => !isVoid)
    return {
      line: { ...line, alert: alertTones[line.tone] },
      checks: marksOf(stage.scene, found, findings, files),
      findings,
      moves: results,
      sights: isTouched ? await sightsOf(this.#stage.scene, stage.scene, line, boxID) : null,
    }
  }

  async #make({ attack, seq }: Move, stage: Stage): Promise<Made | null> {
    if (attack === 'page') return madeBeside(withDearerFish(stage, this.#shown.view))
    if (attack === 'file') return madeBeside(await withOtherFile(stage, this.#files))
    const scene = attacks[attack].act(stage.scene, seq)
    return scene && { stage: { ...stage, scene }, ...changesBetween(stage.scene, scene) }
  }

  async #check(stage: Stage) {
    const { boxID, market } = this.#order
    const view = await pageOf(stage, this.#shown)
    const order = {
      boxID,
      nodes: [],
      contract: null,
      policy: null,
      timeZone: market.timeZone,
      page: { view, market },
      remembered: new Map(),
    }
    const reader = answering(stage.scene.answers)
    const compared = await compare(
      order,
      { bundle: stage.scene.bundle },
      { reader, policy: undefined },
      () => {},
    )
    const found = { ...compared, asked: this.#asked, tookMs: 0 }
    return { found, view, files: await filesOf(stage, this.#files) }
  }
}

type Made = { stage: Stage; changes: readonly LabChange[]; more: number }

const madeBeside = (done: [Stage, LabChange[]] | null): Made | null =>
  done && { stage: done[0], changes: done[1], more: 0 }

const ANY: Choice = { targets: [], first: 0 }

const NOT_FETCHED = 'The box could not be fetched. Check your connection and try again.'
const NOT_READ =
  'The ledger could not be read, so there is nothing to compare the box with. Try again in a minute.'
const NO_PROOF = 'What the shop sent is not written the way proofs are, so nothing can be tried on it.'

const textOf = (reach: LabReach, path: string): Promise<string | undefined> =>
  reach.get(path).catch(() => {
    throw new NotOpened(NOT_FETCHED)
  })

function bundleIn(text: string): ProofBundle {
  try {
    return parseBundle(parseJsonText(text))
  } catch (error) {
    if (error instanceof FormatError) throw new NotOpened(NO_PROOF)
    throw error
  }
}

/** The proof of another box, to be shown in the place of this one; null where there is none to be had. */
async function anotherProof(boxID: string, { get }: LabReach): Promise<ProofBundle | null> {
  try {
    const list = await get(urlOf(listBoxes, { query: { page: 1, size: 20 } }))
    const { rows } = JSON.parse(list ?? '{"rows":[]}') as { rows: { boxID: string }[] }
    const other = rows.find((row) => row.boxID !== boxID)?.boxID
    const text = other && (await get(urlOf(readProof, { params: { boxID: other } })))
    if (!text) return null
    const bundle = bundleIn(text)
    return bundle.records.length > MAX_RECORDS || bundle.anchors.length === 0 ? null : bundle
  } catch (error) {
    if (error instanceof NotOpened || error instanceof LedgerError || error instanceof SyntaxError)
      return null
    throw error
  }
}

function choiceOf(name: AttackName, scene: Scene): Choice {
  const found = attacks[name].targets(scene)
  if (found === null) return ANY
  if (typeof found === 'string') return { obstacle: found }
  const bySeq = new Map(scene.bundle.records.map((record) => [record.seq, record]))
  const all = found.flatMap((seq): Target[] => {
    const record = bySeq.get(seq)
    if (record === undefined || isWithheld(record)) return []
    const { kind, at, data } = record
    const [temperature, grams] = [numberIn(data.temperature), numberIn(data.grams)]
    return [{ seq, kind, at, temperature, grams }]
  })
  const first = firstOf(all)
  return { targets: someOf(all, first), first: first.seq }
}

const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** The warmest reading, or of others the one in the middle: there the attack tells most. */
function firstOf(all: readonly Target[]): Target {
  const middle = all[Math.floor(all.length / 2)]
  const warmest = all.reduce<Target | undefined>(
    (most, one) => ((one.temperature ?? -100) > (most?.temperature ?? -100) ? one : most),
    undefined,
  )
  return warmest ?? middle ?? { seq: 0, kind: '', at: '', temperature: null, grams: null }
}

/** As many as a list can hold, from all of the history, with the first choice. */
function someOf(all: readonly Target[], first: Target): Target[] {
  const step = Math.max(1, Math.ceil(all.length / MAX_TARGETS))
  return all.filter((target, i) => i % step === 0 || target === first)
}
