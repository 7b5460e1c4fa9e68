import { FormatError } from '@befaqt/provenance'
import {
  checkReceipt,
  type LogToday,
  type ReceiptResult,
  readToday,
} from '@befaqt/provenance/log/check-receipt'
import { findReceipt, type Receipt } from '@befaqt/provenance/log/receipt'
import {
  findingText,
  noReceiptWords,
  receiptWords,
  uncheckedWords,
} from '@befaqt/provenance/log/receipt-words'
import { fetched, logAddress, Refusal } from './bring.ts'
import { type Child, el } from './dom.ts'
import { type ChosenPolicy, isOfShop } from './policy.ts'

/* A receipt of a log held against the log of today: with the verdicts of the shop's page and of the command. */

/** What came of it. */
export interface CheckedReceipt {
  readonly result: ReceiptResult
  readonly today: LogToday
  /** Where the log was read. */
  readonly address: string
  /** Whose word it is that the key is the log's. */
  readonly keyBy: 'policy' | 'shops policy' | 'log'
}

/** The receipt in a text that was typed, pasted or scanned. @throws Refusal */
export function receiptIn(text: string): Receipt {
  try {
    return findReceipt(text)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new Refusal(noReceiptWords(error))
  }
}

/**
 * Reads the log at the address that was typed; where none was, at the one that the receipt names. @throws Refusal
 */
export async function checkedReceipt(
  receipt: Receipt,
  typed: string,
  policy: ChosenPolicy | null,
): Promise<CheckedReceipt> {
  const { origin } = receipt.checkpoint
  const address = logAddress(typed, origin)
  const known = policy?.policy.logs.find(({ key }) => key.name === origin)?.key ?? null
  const today = await shownAt(address, () =>
    readToday((path, most) => fetched(`${address}/${path}`, most), known),
  )
  const result = await shownAt(address, () => checkReceipt(receipt, today))
  const isShops = policy !== null && isOfShop(policy, [address, origin])
  return { result, today, address, keyBy: known === null ? 'log' : isShops ? 'shops policy' : 'policy' }
}

async function shownAt<T>(address: string, read: () => Promise<T | undefined>): Promise<T> {
  try {
    const found = await read()
    if (found !== undefined) return found
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new Refusal(`${address}: ${uncheckedWords.noState}`)
  }
  throw new Refusal(`${address}: ${uncheckedWords.noLog}`)
}

const whoseKey: Readonly<Record<CheckedReceipt['keyBy'], string>> = {
  policy: 'Its key is the one that your policy names.',
  'shops policy': 'Its key is the one that the shop’s own policy names: its word.',
  log: 'Its key is the one that the log itself names, which is the shop’s word: a policy that names this log says more.',
}

/** It as it is shown. */
export function receiptOutcome(checked: CheckedReceipt, timeZone: string, actions: readonly HTMLElement[]) {
  const { result, address, keyBy } = checked
  const { tone, title, message, todo } = receiptWords(result, timesIn(timeZone))
  return [
    el('h2', { id: 'verdict-title' }, `Receipt of ${result.receipt.origin}`),
    el(
      'section',
      { class: `verdict ${tone}`, 'aria-labelledby': 'verdict-title', id: 'verdict' },
      el('p', { class: 'title' }, title),
      el('p', {}, message),
      todo === null ? null : el('p', {}, el('b', {}, 'What to do: '), todo),
      el(
        'ul',
        { class: 'by' },
        el('li', {}, `The log was read from ${address}.`),
        el('li', {}, whoseKey[keyBy]),
      ),
    ),
    el('div', { class: 'buttons' }, ...actions),
  ] satisfies Child[]
}

const timesIn =
  (timeZone: string) =>
  (seconds: number): string =>
    new Date(seconds * 1000).toLocaleString('en-AU', {
      timeZone,
      dateStyle: 'medium',
      timeStyle: 'short',
    })

/** The finding as a text for others. */
export const findingOf = ({ result, today, address }: CheckedReceipt): string =>
  findingText(result, { note: today.note, time: new Date().toISOString(), place: address })
