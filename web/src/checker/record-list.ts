import { momentText } from '@befaqt/domain/moment-text'
import { recordLabels } from '#web/features/box/records.ts'
import type { Found } from './check.ts'
import { el, some } from './dom.ts'
import { lateText, recordProof } from './verdict-words.ts'

/** Records that are added at a time. */
const PORTION = 100
/** Characters of a record's content that are shown; longer contents are rare, and in the proof. */
const MAX_CONTENT = 20_000

/** Every record of a proof, with what was found about it; so many at once, and the next on demand. */
export function recordList(found: Found): HTMLElement {
  const { bundle, result } = found
  const count = bundle?.records.length ?? 0
  const list = el('ol', { class: 'records' })
  const more = el('button', { type: 'button', class: 'plain' })
  let shown = 0
  const add = (): void => {
    const until = Math.min(count, shown + PORTION)
    for (; shown < until; shown++) list.append(recordRow(found, shown))
    more.textContent = `Show ${Math.min(PORTION, count - shown)} more of ${count}`
    more.hidden = shown >= count
  }
  more.addEventListener('click', add)
  add()
  const broken = result.records.filter(({ verdict }) => verdict === 'broken').length
  return el(
    'section',
    { 'aria-labelledby': 'records-title' },
    el('h2', { id: 'records-title' }, 'Records'),
    el(
      'p',
      { class: 'muted' },
      `${some(count, 'record')} in this proof${broken > 0 ? `, ${broken} of them broken` : ''}. Each opens to what it says.`,
    ),
    list,
    more,
  )
}

const words = {
  anchored: 'proven',
  pending: 'not proven: waits for its anchor',
  withheld: 'withheld, its fingerprint proven',
  broken: 'broken',
  unchecked: 'not proven',
} as const

function recordRow(found: Found, i: number): HTMLElement {
  const record = found.bundle?.records[i]
  const judged = found.result.records[i]
  if (record === undefined || judged === undefined) return el('li')
  const { timeZone } = found.order
  const proof = recordProof(found, i)
  const state = words[judged.verdict]
  const isShown = 'data' in record
  const name = isShown ? (recordLabels[record.kind] ?? record.kind) : 'Withheld'
  const late = judged.latenessS === null ? '' : ` Logged ${lateText(judged.latenessS)}.`
  const anchor = judged.anchor
  const content = isShown ? JSON.stringify(record.data, null, 1) : ''
  const details = el('details', {})
  const open = (): void => {
    if (details.childElementCount > 1) return
    details.append(
      el('p', {}, `${judged.words}${late}`, anchor ? ` Anchor ${anchor.index}, ${anchor.time}.` : ''),
      ...(isShown ? [el('p', {}, `By ${record.by || 'nobody named'}, ${record.at}`)] : []),
      ...(isShown
        ? [
            el(
              'pre',
              {},
              content.slice(0, MAX_CONTENT),
              content.length > MAX_CONTENT ? '\n… more is in the proof' : '',
            ),
          ]
        : []),
      el('p', { class: 'hash' }, `Fingerprint ${judged.recordHash}`),
    )
  }
  details.addEventListener('toggle', open)
  details.append(
    el(
      'summary',
      {},
      el('span', { class: 'seq' }, String(record.seq)),
      el('span', {}, el('b', {}, name), isShown ? ` ${momentText(record.at, timeZone) || record.at}` : ''),
      el('span', { class: `state ${judged.verdict}` }, proof === null ? state : `${state}: ${proof}`),
    ),
  )
  return el('li', {}, details)
}
