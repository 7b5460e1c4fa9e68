import type { BundleAnchor, ProofBundle } from '../bundle.ts'
import { type BundleLog, type LoggedState, loggedIndexes } from '../bundle-log.ts'
import { textOf, utf8 } from '../digest.ts'
import type { ExportedAnchor } from '../file-ledger.ts'
import { anchorEntry } from '../leaf.ts'
import { type Checkpoint, parseCheckpoint } from '../log/checkpoint.ts'
import { keyTypes, parseNote, toBase64, verifierKeyText } from '../log/note.ts'
import { parsePolicy } from '../log/policy.ts'
import { cosign, type Signer } from '../log/signed-checkpoint.ts'
import { blockTimeText } from '../validate.ts'
import { newSigner, ORIGIN, TestLog } from './log.ts'
import { Shop } from './shop.ts'

/** Three witnesses that nobody else runs. */
export const witnesses = ['market', 'university', 'certifier'].map((name) =>
  newSigner(`${name}.example/w`, keyTypes.ed25519Cosigner),
)

const logSigner = newSigner(ORIGIN)

/** Lines of a policy about these witnesses and a log, without its groups. */
export const partiesOf = (signers: readonly Signer[] = witnesses, log: Signer = logSigner): string[] => [
  `log ${verifierKeyText(log.key)}`,
  ...signers.map(({ key }) => `witness ${key.name.split('.')[0]} ${verifierKeyText(key)}`),
]

/** The text of a policy that asks for two of the three. */
export const twoOfThree = [...partiesOf(), 'group two 2 market university certifier', 'quorum two', ''].join(
  '\n',
)

export const policyOf = (text: string) => parsePolicy(utf8(text))

/** How a bundle gets its log. */
interface Terms {
  /** Anchors that the checkpoint covers. */
  readonly size?: number
  readonly signers?: readonly Signer[]
  /** When they signed, in seconds since 1970. */
  readonly timeS?: number
  readonly log?: TestLog
}

/** The anchors of a shop as a log. */
export const logOf = (shop: Shop, signer: Signer = logSigner): TestLog =>
  new TestLog(signer).append(...shop.file().anchors.map((anchor) => textOf(entryOf(anchor))))

const entryOf = ({ blockTime: time, ...anchor }: ExportedAnchor): Uint8Array =>
  anchorEntry({ ...anchor, time })

/** A bundle of the shop with its log, as an honest shop would show it: two of three have signed all there is. */
export async function loggedBundle(
  shop: Shop,
  box: string,
  {
    log = logOf(shop),
    size = log.size,
    signers = witnesses.slice(0, 2),
    timeS = newestTime(shop),
  }: Terms = {},
): Promise<ProofBundle> {
  const told = (index: number) => {
    const { root, blockTime, boxes, records } = shop.file().anchors[index] ?? missing(`anchor ${index}`)
    return { index, root, time: blockTimeText(blockTime), boxes, records }
  }
  const plain = shop.bundleOf(box)
  const anchors = plain.anchors.map((anchor): BundleAnchor => {
    const own = anchor.index < size ? countsOf(told(anchor.index)) : {}
    if (anchor.before === null || anchor.index > size) return { ...anchor, ...own }
    const { time, boxes, records } = told(anchor.index - 1)
    return { ...anchor, ...own, before: { ...anchor.before, time, boxes, records } }
  })
  const bundle = { ...plain, anchors }
  const used = loggedIndexes(bundle, size)
  const covered = anchors.filter(({ index }) => index < size)
  let state: LoggedState | undefined
  if (covered.length > 0 && !covered.some(({ index }) => index === size - 1)) {
    const { leaf, path } = shop.proofOf(size - 1, box)
    if (leaf !== null) state = { ...told(size - 1), leaf, path }
    used.add(size - 1)
  }
  const checkpoint = await log.note(size)
  const opened: Checkpoint = parseCheckpoint(parseNote(checkpoint).text)
  const inclusion: Record<string, string[]> = {}
  for (const index of used) inclusion[index] = (await log.inclusion(index, size)).map(toBase64)
  const part: BundleLog = {
    checkpoint: checkpoint + signers.map((signer) => cosign(opened, signer, timeS)).join(''),
    inclusion,
  }
  return { ...bundle, log: state === undefined ? part : { ...part, state } }
}

const countsOf = ({ boxes, records }: { boxes: number; records: number }) => ({ boxes, records })

/** The block time of a shop's newest anchor, in seconds. */
export const newestTime = (shop: Shop): number => shop.file().anchors.at(-1)?.blockTime ?? 0

function missing(what: string): never {
  throw new RangeError(`there is no ${what}`)
}

/** A grows at the anchors 0, 2 and 4 of five, or more. */
export function shopOf(more = 0): Shop {
  const shop = new Shop()
  for (let i = 0; i < 5 + more; i++) {
    if (i % 2 === 0 && i < 5) shop.append('A', 'tracking', { temperature: i })
    shop.append('B', 'tracking')
    shop.anchor()
  }
  return shop
}

/** The log of a bundle that has one. */
export const logIn = ({ log }: ProofBundle): BundleLog => log ?? missing('log')
/** The bundle with other parts of its log. */
export const withLog = (bundle: ProofBundle, log: Partial<BundleLog>): ProofBundle => ({
  ...bundle,
  log: { ...logIn(bundle), ...log },
})
