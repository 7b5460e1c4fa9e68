import type { FormatError } from '../format-error.ts'
import { blockTimeText } from '../validate.ts'
import type { ReceiptProof, ReceiptResult } from './check-receipt.ts'
import { checkpointText } from './checkpoint.ts'
import { receiptLine } from './receipt.ts'

/** What a check of a receipt found, for people. `todo`: what they can do; null: nothing. */
export interface ReceiptWords {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  readonly message: string
  readonly todo: string | null
}

const SHOW_IT =
  'Keep the receipt, save this finding, and show both to the market, a food inspector, or whoever you bought from. Until it is cleared up, don’t rely on what this shop’s records say.'
const TRY_AGAIN = 'Try again in an hour.'
const SCAN_IT = 'Scan the code beside the line, or paste the signed text from your email.'

const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`)

/** @param when a time in seconds since 1970, as the reader writes it */
export function receiptWords(result: ReceiptResult, when: (seconds: number) => string): ReceiptWords {
  const { state, proof, receipt, today, meant } = result
  switch (state) {
    case 'fits':
      return { tone: 'good', title: 'Your receipt fits', message: fitting(result, when), todo: null }
    case 'ahead':
      return {
        tone: proof === 'signed' ? 'bad' : 'warn',
        title: 'The log is shorter than your receipt says',
        message: `Your receipt is of ${entries(receipt.size)}, and the shop shows ${today.size}. ${result.successor === null ? 'It was put back to an older state and has not caught up, or keeps something from you.' : `It lost what came between, or keeps it from you: it ended this log, and began ${result.successor}.`}${unsure[proof]}`,
        todo: result.successor === null ? `${TRY_AGAIN} If it is still so then: ${lower(SHOW_IT)}` : SHOW_IT,
      }
    case 'differs':
      return { ...differing[proof], todo: proof === 'line' ? `${SCAN_IT} ${SHOW_IT}` : SHOW_IT }
    case 'mistyped':
      return {
        tone: 'warn',
        title: 'A slip in the line, most likely',
        message: `Some characters differ from a state that the log had, and all others are the same, which no other log could bring about. It would fit as: ${receiptLine(meant ?? today)}`,
        todo: 'Compare this with your receipt, and correct what you typed.',
      }
    case 'changed':
      return {
        tone: 'warn',
        title: 'This is not what the log signed',
        message:
          'The signature is of another text: characters were lost or changed on the way, or somebody made this receipt up.',
        todo: 'Scan the code again, or copy the signed text whole.',
      }
    case 'other_log':
      return {
        tone: 'warn',
        title: 'This receipt is of another log',
        message: `It is of ${receipt.origin}. The log of this shop is ${today.origin}.`,
        todo: 'Check it where you bought: the name begins with the address of that shop.',
      }
    case 'unsigned':
      return {
        tone: 'bad',
        title: 'The shop’s log is not signed by its key',
        message: 'What the shop shows as the state of its log is not by the key that it names for it.',
        todo: `${TRY_AGAIN} If it is still so then, tell the shop, and keep your receipt.`,
      }
    case 'not_shown':
      return {
        tone: 'warn',
        title: 'Your receipt could not be compared',
        message:
          'The shop did not show all of its log, or showed what does not give the state that it signed. That says nothing for it or against it yet.',
        todo: `Check your connection. ${TRY_AGAIN}`,
      }
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function fitting(
  { receipt, today, upTo, newest, proof, successor }: ReceiptResult,
  when: (seconds: number) => string,
) {
  const then = upTo === null ? '' : `, up to ${when(upTo)}`
  const now =
    today.size === receipt.size
      ? 'Nothing was added since.'
      : `It has ${entries(today.size)} now${newest === null ? '' : `, the newest of ${when(newest)}`}.`
  const other =
    proof === 'other_key' ? ' It is signed by another key than the log has now: ask the shop why.' : ''
  const ended =
    successor === null
      ? ''
      : ` Nothing is added to this log any more: the shop began ${successor}. Ask it why.`
  return `All that the shop’s log held when you got it (${entries(receipt.size)}${then}) is still in it, unchanged. ${now}${other}${ended}`
}

/** Of a log that is shorter: what else it may be where nobody vouches for the receipt. */
const unsure: Readonly<Record<ReceiptProof, string>> = {
  signed: '',
  unchecked: ' The signature of the receipt could not be checked here.',
  line: ' Or the number in the line is another: the line alone can’t tell.',
  other_key: ' Or the receipt is not by this log: it is signed by another key.',
}

const CHANGED = 'The log is not the one of your receipt'
const differing: Readonly<Record<ReceiptProof, Pick<ReceiptWords, 'tone' | 'title' | 'message'>>> = {
  signed: {
    tone: 'bad',
    title: 'Broken: the log was changed after your receipt',
    message:
      'The shop has signed two histories that contradict each other: the one on your receipt, and the one that it shows now. No slip of yours can bring this about.',
  },
  unchecked: {
    tone: 'bad',
    title: CHANGED,
    message:
      'What it held by your receipt is not what the shop shows now. The signature of the receipt could not be checked here, so it may also have been made up.',
  },
  line: {
    tone: 'bad',
    title: CHANGED,
    message:
      'What it held by this line is not what the shop shows now: it was changed since, or the line is not the shop’s. The line alone can’t tell.',
  },
  other_key: {
    tone: 'bad',
    title: CHANGED,
    message:
      'The receipt is signed by another key, and the log does not hold what it promised: the shop began its log anew and left out what was in it, or the receipt is not by this shop.',
  },
}

/** Why a text is no receipt, in a sentence. */
export function noReceiptWords({ path }: Pick<FormatError, 'path'>): string {
  switch (path) {
    case '$.root':
      return 'The last part of the line has to be 44 characters that end with “=”: one is missing, doubled or wrong. Capital and small letters differ.'
    case '$.size':
      return 'The number in the line is not one that a log can have.'
    case '$.origin':
      return 'The name of the log in the line is not one that a log can have.'
    default:
      return 'This is no receipt. Its line begins with “befaqt1”.'
  }
}

/**
 * A finding for others, who check it by themselves: both states in words and as they came.
 * @param note what the shop showed as the newest state of its log, found at `time` on `place`
 */
export function findingText(
  result: ReceiptResult,
  { note, time, place }: { note: string; time: string; place: string },
): string {
  const { title, message } = receiptWords(result, blockTimeText)
  return [
    `${title}. ${message}`,
    `Found at ${time} on ${place}`,
    `The receipt:\n\n${result.receiptNote ?? checkpointText(result.receipt)}`,
    `What the shop showed then as the newest state of its log:\n\n${note}`,
  ].join('\n\n')
}

/** Why nothing could be compared, in sentences. */
export const uncheckedWords = {
  offline: 'The shop could not be reached. Check your connection and try again.',
  noLog:
    'The shop shows no log now. It had one when it gave a receipt: keep yours, and try again in an hour.',
  noState:
    'What the shop shows as the state of its log is none. Keep your receipt, and try again in an hour.',
}
