import type { Found } from './check.ts'
import { type Child, el, some } from './dom.ts'
import { factsOf } from './facts.ts'
import { factsShown } from './facts-shown.ts'
import { recordList } from './record-list.ts'
import { asides, verdictOf } from './verdict-words.ts'

/** Reasons that are told at once. */
const MAX_REASONS = 20

/** What came of a check: the verdict, the facts as far as they are proven, and all records. */
export function outcome(found: Found, actions: readonly HTMLElement[]): Child[] {
  const { result, order } = found
  return [
    el('h2', { id: 'verdict-title' }, result.box === null ? 'Verdict' : `Box ${result.box}`),
    verdictShown(found),
    el('div', { class: 'buttons' }, ...actions),
    ...facts(found),
    found.bundle && recordList(found),
    el(
      'p',
      { class: 'muted' },
      `Read from ${order.proof.from}. Times without an offset are taken as those of ${order.timeZone}.`,
    ),
  ]
}

function verdictShown(found: Found): HTMLElement {
  const { tone, title, message, by } = verdictOf(found)
  const { reasons } = found.result
  const left = reasons.length - MAX_REASONS
  return el(
    'section',
    { class: `verdict ${tone}`, 'aria-labelledby': 'verdict-title', id: 'verdict' },
    el('p', { class: 'title' }, title),
    el('p', {}, message),
    reasons.length === 0
      ? null
      : el(
          'ul',
          {},
          ...reasons
            .slice(0, MAX_REASONS)
            .map(({ words, detail }) => el('li', {}, words, detail ? ` (${detail.slice(0, 300)})` : '')),
          left > 0 ? el('li', {}, `And ${left} more.`) : null,
        ),
    el('ul', { class: 'by' }, ...by.map((line) => el('li', {}, line))),
  )
}

function facts({ bundle, result, order: { timeZone } }: Found): Child[] {
  if (bundle === null || result.records.length === 0) return []
  const title = el('h2', {}, 'What the records say')
  const proven = result.verdict === 'verified' || result.verdict === 'verified-up-to'
  if (!proven || result.upTo === 0)
    return [
      title,
      el('p', { class: 'note warn' }, 'Nothing here is proven, so nothing is drawn as a fact.'),
      el(
        'details',
        {},
        el('summary', {}, 'Show what the proof claims'),
        factsShown(factsOf(bundle, result, timeZone, 'all'), timeZone),
      ),
    ]
  const made = factsOf(bundle, result, timeZone, 'proven')
  const left =
    made.leftOut === 0 ? '' : ` ${some(made.leftOut, 'record')} not proven: left out here, and listed below.`
  return [
    title,
    el('p', { class: 'muted' }, `Drawn by this checker from ${some(made.records, 'proven record')}.${left}`),
    factsShown(made, timeZone),
    el('ul', {}, ...asides(result).map((line) => el('li', {}, line))),
  ]
}
