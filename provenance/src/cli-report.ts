import type { Asked } from './asked.ts'
import { logMessage } from './log-message.ts'
import { OWN_LEDGER } from './messages.ts'
import type { BoxResult, LogResult, RecordResult } from './verdict.ts'

/** Where the answer comes from, for the reader to judge. */
export interface LedgerSource {
  readonly chainId: number
  readonly contract: string
  /** An address, or the name of a file of anchors. */
  readonly source: string
  /** What was taken from the proof itself, because no option named it. */
  readonly namedByProof: { readonly contract: boolean; readonly source: boolean }
  readonly asked: Asked
  /** It is the copy of a mirror, and whether as many have signed it lately as the policy asks for; absent: it is none. */
  readonly mirrored?: boolean | undefined
}

/**
 * The answer as lines of text: the box's verdict, its reasons, and every record that is not anchored.
 * @param monitors what witnesses show at their own addresses
 */
export function reportLines(
  result: BoxResult,
  ledger: LedgerSource | null,
  older: string | undefined,
  monitors: readonly string[],
): string[] {
  return [
    `Box ${result.box ?? '(unreadable)'}: ${verdictText(result, ledger)}`,
    `  ${result.words}`,
    ...result.reasons.map(({ words, detail }) => `  - ${words}${detail === undefined ? '' : ` (${detail})`}`),
    ...(older === undefined || ledger === null ? [] : [olderLine(result, older)]),
    ...(ledger === null ? [] : ledgerLines(ledger)),
    ...(result.log === undefined ? [] : logLines(result.log, ledger)),
    ...monitors,
    ...weightLine(result),
    ...countLine(result.records),
    ...signatureLine(result.signatures),
    ...(result.statements === undefined ? [] : [`  ${result.statements.words}`]),
    ...result.records.filter(({ verdict }) => verdict !== 'anchored').map(recordLine),
  ].map(printable)
}

const olderLine = ({ reasons }: BoxResult, older: string): string =>
  reasons.some(({ code }) => code === 'forked') ? `It differs from ${older}.` : `It continues ${older}.`

function verdictText({ verdict, upTo, reasons, log }: BoxResult, ledger: LedgerSource | null): string {
  if (reasons.some(({ code }) => code === 'other_format')) return 'could not be checked'
  if (verdict === 'verified' && ledger?.asked.grade === 'own') return OWN_LEDGER
  const text = verdict === 'verified-up-to' ? `verified up to record ${upTo}` : verdict
  const isProven = verdict === 'verified' || verdict === 'verified-up-to'
  return isProven && log?.state === 'witnessed' ? `${text}, witnessed ${log.k} of ${log.n}` : text
}

/** About a node that was named and is the shop's all the same, or may be. */
export const OWN_NODE = '  This is the shop’s own, as far as an address tells: ask a node of somebody else.'
const FILE_OF_NOBODY = '  It does not say whose node it was read from: name that host with --anchors-from.'

/** What an address that was named is worth; of a node that did not answer nobody can tell. */
const ownLines = ({ grade, hosts, chainId }: Asked): string[] =>
  grade === 'own' && chainId !== null ? [hosts.length === 0 ? FILE_OF_NOBODY : OWN_NODE] : []

const MIRRORED = '  A log holds no transactions: what the proof says of those was not compared.'
const NOT_ENOUGH =
  '  Fewer than the policy asks for have signed it within a day: newer records may have been left out.'

const ledgerLines = ({
  chainId,
  contract,
  source,
  namedByProof,
  asked,
  mirrored,
}: LedgerSource): string[] => [
  `Ledger: contract ${contract} on chain ${asked.chainId ?? chainId}, read from ${source}`,
  ...(namedByProof.contract
    ? ['  The proof names this contract: compare it with the one that the shop publishes.']
    : []),
  ...(namedByProof.source
    ? [
        '  The proof itself names this address: name another with --rpc. Without one nothing is checked independently.',
      ]
    : mirrored !== undefined
      ? [MIRRORED, ...(mirrored ? [] : [NOT_ENOUGH])]
      : ownLines(asked)),
]

/** What witnesses say, and that nothing else was asked where the ledger did not answer. */
const logLines = (log: LogResult, ledger: LedgerSource | null): string[] => [
  `Log: ${logMessage(log)}`,
  ...(log.state === 'witnessed' && ledger?.asked.chainId === null
    ? ['  The ledger could not be read: the box was checked against what they signed alone.']
    : []),
]

/** What the box gave of what went in; nothing of a history that is not the ledger's. */
function weightLine({ verdict, balance, records }: BoxResult): string[] {
  if (balance !== undefined) return [`Weight: ${balance.words}`]
  const isKnown = verdict === 'verified' || verdict === 'verified-up-to' || verdict === 'incomplete'
  return isKnown && records.length > 0 ? ['Weight: No weights stated.'] : []
}

function countLine(records: readonly RecordResult[]): string[] {
  const counts = new Map<string, number>()
  for (const { verdict } of records) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  const parts = [...counts].map(([verdict, count]) => `${count} ${verdict}`)
  return parts.length === 0 ? [] : [`Records: ${parts.join(', ')}`]
}

function signatureLine({ sensor, gateway, unconfirmed }: BoxResult['signatures']): string[] {
  if (sensor + gateway + unconfirmed === 0) return []
  const parts = [
    `${sensor} by the sensor`,
    `${gateway} by a phone or gateway`,
    `${unconfirmed} not confirmed`,
  ]
  return [`Signed readings: ${parts.join(', ')}`]
}

const recordLine = ({ seq, verdict, words }: RecordResult): string => `  record ${seq}: ${verdict}. ${words}`

/** Text without control and direction characters: a hostile boxID must not command the terminal. */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
