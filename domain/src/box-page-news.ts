import type { BoxPageNews, BoxPageView, RecordRow } from './api/box-api.ts'

/**
 * A page of a box without the beginnings of its long lists that one made before has the same. Records are anchored in
 * their order, so those that may have changed stand at the end: new ones, and pending ones. A new correction changes
 * what stands before it, and that a record is withheld may be new: then the page is whole.
 * @param after how many records the one before had, and its last anchor, -1 being none
 */
export function pageNews(page: BoxPageView, after: { seq: number; anchor: number }): BoxPageNews {
  const { box, records } = page
  const isSettled = ({ anchorIndex }: RecordRow): boolean =>
    anchorIndex !== null && anchorIndex <= after.anchor
  const open = records.findIndex((record, i) => i >= after.seq || !isSettled(record))
  const settled = open === -1 ? records.length : open
  const rest = records.slice(settled)
  const isWhole =
    after.seq > records.length ||
    rest.some(({ kind }) => kind === 'correction') ||
    records.some(({ state }) => state === 'withheld')
  // A record that can't be read is in no list: then fewer items are kept than could be.
  const settledOf = (list: readonly unknown[], kind: string): number =>
    isWhole ? 0 : Math.max(0, list.length - rest.filter((record) => record.kind === kind).length)
  const readings = box.iotResult?.iotTracking ?? []
  const kept = {
    records: isWhole ? 0 : settled,
    readings: settledOf(readings, 'tracking'),
    freshness: settledOf(box.freshness, 'freshness'),
  }
  const added = { records: records.slice(kept.records), readings: readings.slice(kept.readings) }
  return { kept, page: withLists(page, { ...added, freshness: box.freshness.slice(kept.freshness) }) }
}

/**
 * The page that one made before and its news make; undefined when they go on from more than that has. What comes of it
 * is compared with what the records prove, like any page.
 */
export function withPageNews(before: BoxPageView, { kept, page }: BoxPageNews): BoxPageView | undefined {
  const [old, added] = [listsOf(before), listsOf(page)]
  const isBeyond =
    kept.records > old.records.length ||
    kept.readings > old.readings.length ||
    kept.freshness > old.freshness.length
  if (isBeyond || page.box.boxID !== before.box.boxID) return undefined
  return withLists(page, {
    records: [...old.records.slice(0, kept.records), ...added.records],
    readings: [...old.readings.slice(0, kept.readings), ...added.readings],
    freshness: [...old.freshness.slice(0, kept.freshness), ...added.freshness],
  })
}

/** The lists of a page that are as long as the history. */
const listsOf = ({ records, box }: BoxPageView) => ({
  records,
  readings: box.iotResult?.iotTracking ?? [],
  freshness: box.freshness,
})

const withLists = (
  { box, ...page }: BoxPageView,
  { records, readings, freshness }: ReturnType<typeof listsOf>,
): BoxPageView => ({
  ...page,
  records,
  box: { ...box, iotResult: box.iotResult && { ...box.iotResult, iotTracking: readings }, freshness },
})
