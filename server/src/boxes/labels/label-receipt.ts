import { brokenLine, type LogReceipt, receiptCode } from '#server/anchoring/index.ts'
import { type LabelContent, label, labelLines } from './label-content.ts'

/** Millimetres of a module of its code: two dots of a printer of 203 dpi, as small as phones read from a hand's breadth. */
export const RECEIPT_MODULE = 0.25
/** Millimetres of its letters. */
export const RECEIPT_LETTERS = 1.9
/** Letters of its line beside the code, and where there is no room for that. */
const BESIDE = 25
const ALONE = 42
/** What stays empty at the label's lower edge, and after the lines above. */
const EDGE = 0.5
const GAP = 1

/** Where a receipt stands on a label, in millimetres from its upper left corner; `y` of a line is its upper edge. */
export type PlacedReceipt = {
  code: { x: number; y: number; size: number; side: number; path: string; text: string } | null
  lines: { text: string; x: number; y: number }[]
}

/** Where the lines beside the code of the box end. */
const endOfLines = (content: LabelContent): number =>
  4 + labelLines(content).reduce((sum, { size }) => sum + size * 1.32, 0)

/**
 * The receipt below what a label says of its box: code and line where there is room for both, else the line, else nothing,
 * since what the label is for comes first.
 */
export function placeReceipt(content: LabelContent): PlacedReceipt {
  if (content.receipt === null) return { code: null, lines: [] }
  const x = label.margin + label.code + 2
  const y = endOfLines(content) + GAP
  const room = label.height - EDGE - y
  const { side, path } = receiptCode(content.receipt)
  const size = side * RECEIPT_MODULE
  if (size <= room) {
    const lines = linesAt(content.receipt, BESIDE, x + size, y + GAP)
    return { code: { x, y, size, side, path, text: content.receipt.note }, lines }
  }
  const lines = linesAt(content.receipt, ALONE, x, y)
  return { code: null, lines: lines.length * RECEIPT_LETTERS * 1.32 <= room ? lines : [] }
}

const linesAt = (receipt: LogReceipt, letters: number, x: number, y: number): PlacedReceipt['lines'] =>
  brokenLine(receipt, letters).map((text, i) => ({ text, x, y: y + i * RECEIPT_LETTERS * 1.32 }))
