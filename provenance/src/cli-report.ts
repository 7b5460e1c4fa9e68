import type { BoxResult, RecordResult } from './verdict.ts'

/** Where the answer comes from, for the reader to judge. */
export interface LedgerSource {
  readonly chainId: number
  readonly contract: string
  /** An address, or the name of a file of anchors. */
  readonly source: string
  /** What was taken from the proof itself, because no option named it. */
  readonly namedByProof: { readonly contract: boolean; readonly source: boolean }
}

/** The answer as lines of text: the box's verdict, its reasons, and every record that is not anchored. */
export function reportLines(
  result: BoxResult,
  ledger: LedgerSource | null,
  older: string | undefined,
): string[] {
  return [
    `Box ${result.box ?? '(unreadable)'}: ${verdictText(result)}`,
    `  ${result.words}`,
    ...result.reasons.map(({ words, detail }) => `  - ${words}${detail === undefined ? '' : ` (${detail})`}`),
    ...(older === undefined ? [] : [olderLine(result, older)]),
    ...(ledger === null ? [] : ledgerLines(ledger)),
    ...countLine(result.records),
    ...signatureLine(result.signatures),
    ...result.records.filter(({ verdict }) => verdict !== 'anchored').map(recordLine),
  ].map(printable)
}

const olderLine = ({ reasons }: BoxResult, older: string): string =>
  reasons.some(({ code }) => code === 'forked') ? `It differs from ${older}.` : `It continues ${older}.`

const verdictText = ({ verdict, upTo }: BoxResult): string =>
  verdict === 'verified-up-to' ? `verified up to record ${upTo}` : verdict

const ledgerLines = ({ chainId, contract, source, namedByProof }: LedgerSource): string[] => [
  `Ledger: contract ${contract} on chain ${chainId}, read from ${source}`,
  ...(namedByProof.contract
    ? ['  The proof names this contract: compare it with the one that the shop publishes.']
    : []),
  ...(namedByProof.source
    ? [
        '  The proof itself names this address: name another with --rpc. Without one nothing is checked independently.',
      ]
    : []),
]

function countLine(records: readonly RecordResult[]): string[] {
  const counts = Map.groupBy(records, ({ verdict }) => verdict)
  const parts = [...counts].map(([verdict, { length }]) => `${length} ${verdict}`)
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
