import type { ProofBundle } from '../bundle.ts'
import { isWithheld } from '../bundle-parts.ts'
import { fromHex } from '../digest.ts'
import { toBase64 } from '../log/note.ts'
import {
  type Attack,
  anchored,
  contents,
  gramsOf,
  isReading,
  isSale,
  isSigned,
  madeCold,
  orElse,
  readings,
  recordAt,
  shown,
  withGrams,
} from './attack.ts'
import { consistent, headsOf, otherHash, withAnchor, withFittingLog } from './forge.ts'
import { rootsIn, type Scene, withRoots } from './scene.ts'

/** The scene in which the ledger holds what a forged bundle says, as it would had it been recorded so. */
function agreed(scene: Scene): Scene {
  const bundle = consistent(scene.bundle)
  return { ...scene, bundle, answers: withRoots(scene.answers, rootsIn(bundle)), isShownSo: true }
}

/** Anchors at which the box grew, by their place in the bundle. */
const growths = ({ anchors }: ProofBundle): number[] =>
  anchors.flatMap(({ leaf }, i) => (leaf.count > (anchors[i - 1]?.leaf.count ?? 0) ? [i] : []))

/** Its records up to a number, with the anchors of that time. */
function cutTo({ anchors, ...bundle }: ProofBundle, place: number): ProofBundle {
  const count = anchors[place]?.leaf.count ?? 0
  return withFittingLog({
    ...bundle,
    anchors: anchors.slice(0, place + 1),
    records: bundle.records.slice(0, count),
  })
}

const forgedLog = ({ log }: Scene): Scene['log'] => log && { ...log, root: otherHash(log.root) }

/** Attacks on the anchors of a proof, and on those who vouch for them: node, log, or the one who recorded. */
export const attacksOnProofs = {
  'other-box': {
    targets: ({ other }) => (other === null ? 'no_other_box' : null),
    act: (scene) =>
      scene.other && shown(scene, { ...scene.other, box: scene.bundle.box, ledger: scene.bundle.ledger }),
  },

  rollback: {
    targets: ({ bundle }) => (growths(bundle).length > 1 ? null : 'one_state'),
    act(scene) {
      const place = growths(scene.bundle).at(-2)
      return place === undefined ? null : shown(scene, cutTo(scene.bundle, place))
    },
  },

  rewrite: {
    targets: readings,
    act(scene, seq) {
      const forged = madeCold(scene, seq)
      return forged && shown(scene, consistent(forged.bundle))
    },
  },

  root: {
    targets: ({ bundle }) => (bundle.anchors.length > 0 ? null : 'not_anchored'),
    act: (scene) =>
      scene.bundle.anchors.length === 0
        ? null
        : shown(
            scene,
            withAnchor(scene.bundle, scene.bundle.anchors.length - 1, ({ root }) => ({
              root: otherHash(root),
            })),
          ),
  },

  unseal: {
    targets: ({ bundle }) => (bundle.anchors.at(-1)?.leaf.sealed ? null : 'not_sealed'),
    act(scene) {
      const { bundle } = scene
      const records = bundle.records.filter((one) => isWithheld(one) || one.kind !== 'seal')
      if (records.length === bundle.records.length) return null
      const head = headsOf(bundle.box, records).at(-1) ?? ''
      const anchors = bundle.anchors.map((anchor) =>
        anchor.leaf.sealed
          ? { ...anchor, leaf: { ...anchor.leaf, sealed: false, count: records.length, head } }
          : anchor,
      )
      return shown(scene, { ...bundle, records, anchors })
    },
  },

  node: {
    targets: ({ bundle }) => (bundle.anchors.length > 0 ? null : 'not_anchored'),
    act(scene) {
      const index = scene.bundle.anchors.at(-1)?.index
      const held = index === undefined ? undefined : scene.answers.anchors.get(index)
      if (index === undefined || held === undefined) return null
      return { ...scene, answers: withRoots(scene.answers, new Map([[index, otherHash(held.root)]])) }
    },
  },

  log: {
    targets: ({ bundle }) => (bundle.log === undefined ? 'no_log' : null),
    act(scene) {
      const { log } = scene.bundle
      const forged = forgedLog(scene)
      if (log === undefined || forged === null) return null
      const lines = log.checkpoint.split('\n').with(2, toBase64(fromHex(forged.root)))
      const bundle = { ...scene.bundle, log: { ...log, checkpoint: lines.join('\n') } }
      return { ...scene, bundle, log: forged }
    },
  },

  along: {
    targets: readings,
    act(scene, seq) {
      const forged = madeCold(scene, seq)
      return forged && { ...agreed(forged), log: forgedLog(scene) }
    },
  },

  oversell: {
    targets: (scene) => {
      if (anchored(scene, ({ kind }) => kind === 'weight').length === 0) return 'no_weight'
      return orElse(anchored(scene, isSale), 'no_sale')
    },
    act(scene, seq) {
      const most = Math.max(...contents(scene).map((record) => gramsOf(record) ?? 0))
      const forged = withGrams(scene, seq, () => most + 1_000)
      return forged && { ...agreed(forged), isRecordedSo: true }
    },
  },

  lie: {
    targets: (scene) => {
      const all = anchored(scene, isReading)
      if (all.length === 0) return 'no_reading'
      return orElse(
        anchored(scene, (record) => isReading(record) && !isSigned(record)),
        'all_signed',
      )
    },
    act(scene, seq) {
      const record = recordAt(scene, seq)
      const forged = record === undefined || isSigned(record) ? null : madeCold(scene, seq)
      return forged && { ...agreed(forged), isRecordedSo: true }
    },
  },
} as const satisfies Record<string, Attack>
