import type { RecordOfAnyKind } from '../record.ts'
import {
  type Attack,
  anchored,
  anchoredUpTo,
  COLD,
  gramsOf,
  madeCold,
  orElse,
  readings,
  recordAt,
  shown,
  withGrams,
} from './attack.ts'
import { otherHash, renumbered, withRecord, withRecords } from './forge.ts'

/** `2026-11-17 20:10:00` so many days later; the same text where it is no such time. */
function daysLater(time: string, days: number): string {
  const day = Date.parse(`${time.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(day)
    ? time
    : new Date(day + days * 86_400_000).toISOString().slice(0, 10) + time.slice(10)
}

/** Attacks on what the records of a proof say, on their order and their number. The anchors stay as they are. */
export const attacksOnRecords = {
  reading: { targets: readings, act: madeCold },

  'catch-date': {
    targets: (scene) =>
      orElse(
        anchored(scene, ({ kind, data }) => kind === 'catch' && typeof data.time === 'string'),
        'no_catch',
      ),
    act(scene, seq) {
      const record = recordAt(scene, seq)
      const time = record?.data.time
      if (record === undefined || typeof time !== 'string') return null
      const data = { ...record.data, time: daysLater(time, 2) }
      return shown(scene, withRecord(scene.bundle, seq, { at: daysLater(record.at, 2), data }))
    },
  },

  'take-away': {
    targets: (scene) =>
      orElse(
        anchored(scene, ({ seq }) => seq > 1 && seq < scene.bundle.records.length),
        'too_short',
      ),
    act: (scene, seq) =>
      recordAt(scene, seq) === undefined
        ? null
        : shown(
            scene,
            withRecords(scene.bundle, (records) => records.filter((one) => one.seq !== seq)),
          ),
  },

  'take-last': {
    targets: ({ bundle }) => (anchoredUpTo(bundle) > 1 ? null : 'too_short'),
    act({ bundle, ...scene }) {
      const last = anchoredUpTo(bundle)
      const left = bundle.records.filter(({ seq }) => seq < last)
      return left.length === bundle.records.length
        ? null
        : shown(
            { bundle, ...scene },
            withRecords(bundle, () => left),
          )
    },
  },

  swap: {
    targets: (scene) =>
      orElse(
        anchored(scene, ({ seq }) => {
          const next = recordAt(scene, seq + 1)
          return next !== undefined && next.kind !== 'seal' && seq < anchoredUpTo(scene.bundle)
        }),
        'too_short',
      ),
    act(scene, seq) {
      const { records } = scene.bundle
      const place = records.findIndex((one) => one.seq === seq)
      const [one, next] = [records[place], records[place + 1]]
      if (one === undefined || next === undefined) return null
      return shown(
        scene,
        withRecords(scene.bundle, () => renumbered(records.with(place, next).with(place + 1, one))),
      )
    },
  },

  'slip-in': {
    targets: readings,
    act(scene, seq) {
      const { records } = scene.bundle
      const like = recordAt(scene, seq)
      if (like === undefined) return null
      const { signed: _, ...data } = like.data
      const made: RecordOfAnyKind = {
        ...like,
        data: { ...data, temperature: COLD },
        salt: otherHash(like.salt),
      }
      const place = records.findIndex((one) => one.seq === seq)
      return shown(
        scene,
        withRecords(scene.bundle, () => renumbered(records.toSpliced(place, 0, made))),
      )
    },
  },

  weight: {
    targets: (scene) =>
      orElse(
        anchored(scene, (record) => gramsOf(record) !== null),
        'no_weight',
      ),
    act: (scene, seq) =>
      withGrams(scene, seq, (grams, kind) => (kind === 'weight' ? grams * 1.5 : grams / 2)),
  },
} as const satisfies Record<string, Attack>
