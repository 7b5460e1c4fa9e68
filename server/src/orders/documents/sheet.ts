import { buffer } from 'node:stream/consumers'
import { brokenLine, type LogReceipt, receiptCode, receiptWords } from '#server/anchoring/index.ts'
import { pdfFont, pdfText } from '#server/images/pdf-text.ts'

/** A document of one table: facts above, sums below, notes at the end. `width`: a share of the page. */
export type Sheet = {
  title: string
  facts: readonly (readonly [label: string, value: string])[]
  columns: readonly { heading: string; width: number; right?: boolean }[]
  rows: readonly (readonly string[])[]
  sums: readonly (readonly [label: string, value: string])[]
  notes: readonly string[]
}

const MARGIN = 48
const SIZE = 10
const INK = '#12232b'
const SLATE = '#4a5c65'

/** The newest state of the log, for whoever keeps the paper, and where the shop's pages are. */
export type SheetReceipt = { receipt: LogReceipt; publicUrl: string }

/** Points of the code of a receipt: 30 mm. */
const CODE = 85

/** The document as a PDF in A4. The library is loaded with the first one. */
export async function sheetPdf(sheet: Sheet, log?: SheetReceipt): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    info: { Title: pdfText(sheet.title) },
    lang: 'en-AU',
    displayTitle: true,
  })
  const done = buffer(doc)
  const all = doc.page.width - 2 * MARGIN
  const shares = sheet.columns.reduce((sum, { width }) => sum + width, 0)
  const widths = sheet.columns.map(({ width }) => (all * width) / shares)
  const title = pdfText(sheet.title)
  doc.fillColor(INK).font(pdfFont(title, 'bold')).fontSize(20).text(title).moveDown(0.6)
  doc.fontSize(SIZE)
  for (const [label, text] of sheet.facts) {
    const value = pdfText(text)
    doc.fillColor(SLATE).font('Helvetica').text(`${label}: `, { continued: true })
    doc.fillColor(INK).font(pdfFont(value)).text(value)
  }
  doc.moveDown()

  /** Writes one row, on a new page where this one has no room for it. */
  const write = (cells: readonly string[], weight: 'regular' | 'bold'): void => {
    doc.fillColor(INK)
    const texts = cells.map(pdfText)
    const heights = texts.map((text, i) =>
      doc.font(pdfFont(text, weight)).heightOfString(text, { width: (widths[i] ?? 0) - 6 }),
    )
    const height = Math.max(...heights) + 8
    if (doc.y + height > doc.page.height - MARGIN) doc.addPage()
    const top = doc.y
    let left = MARGIN
    for (const [i, text] of texts.entries()) {
      const align = sheet.columns[i]?.right ? 'right' : 'left'
      doc.font(pdfFont(text, weight)).text(text, left, top + 4, { width: (widths[i] ?? 0) - 6, align })
      left += widths[i] ?? 0
    }
    doc.x = MARGIN
    doc.y = top + height
    doc
      .moveTo(MARGIN, doc.y)
      .lineTo(MARGIN + all, doc.y)
      .lineWidth(0.5)
      .stroke('#d5dfe2')
  }
  write(
    sheet.columns.map(({ heading }) => heading),
    'bold',
  )
  for (const row of sheet.rows) write(row, 'regular')
  doc.moveDown(0.6)
  for (const [label, value] of sheet.sums) {
    const isLast = label === sheet.sums.at(-1)?.[0]
    const text = pdfText(`${label}  ${value}`)
    doc
      .font(pdfFont(text, isLast ? 'bold' : 'regular'))
      .text(text, MARGIN, doc.y, { width: all - 6, align: 'right' })
  }
  doc.moveDown().fillColor(SLATE)
  for (const note of sheet.notes.map(pdfText))
    doc.font(pdfFont(note)).text(note, MARGIN, doc.y, { width: all })
  if (log !== undefined) drawReceipt(doc, log)
  doc.end()
  return done
}

/** The receipt below all else, whole on one page. */
function drawReceipt(doc: PDFKit.PDFDocument, { receipt, publicUrl }: SheetReceipt): void {
  doc.moveDown()
  if (doc.y + CODE > doc.page.height - MARGIN) doc.addPage()
  const top = doc.y
  const { side, path } = receiptCode(receipt)
  doc.save()
  doc.translate(MARGIN, top).scale(CODE / side)
  doc.path(path).fill('#000')
  doc.restore()
  const words = receiptWords(publicUrl)
  doc.fontSize(SIZE - 1).fillColor(INK)
  for (const [i, line] of [...words, ...brokenLine(receipt, 60)].entries()) {
    const text = pdfText(line)
    const font = i < words.length ? pdfFont(text) : 'Courier'
    doc.font(font).text(text, MARGIN + CODE + 6, top + 8 + i * 13, { lineBreak: false })
  }
  doc.y = top + CODE
}
