import { buffer } from 'node:stream/consumers'
import { pdfFont, pdfText } from '#server/images/pdf-text.ts'
import { qrPath } from '#server/images/qr-path.ts'
import { type LabelContent, label, labelLines } from './label-content.ts'

/** Points in a millimetre. */
const MM = 72 / 25.4
const A4 = { width: 210, height: 297 }
const COLUMNS = Math.floor(A4.width / label.width)
const ROWS = Math.floor(A4.height / label.height)
/** Where the first label begins, so that all are centred on the sheet. */
const LEFT = (A4.width - COLUMNS * label.width) / 2
const TOP = (A4.height - ROWS * label.height) / 2

/** Sheets of A4 with ten labels each, with hairlines to cut along. The library is loaded with the first one. */
export async function labelsPdf(contents: readonly LabelContent[]): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const info = { Title: contents.length === 1 ? `Label ${contents[0]?.boxID}` : 'Labels' }
  const doc = new PDFDocument({ size: 'A4', margin: 0, info, lang: 'en-AU', autoFirstPage: false })
  const done = buffer(doc)
  for (const [i, content] of contents.entries()) {
    const place = i % (COLUMNS * ROWS)
    if (place === 0) doc.addPage()
    const left = LEFT + (place % COLUMNS) * label.width
    const top = TOP + Math.floor(place / COLUMNS) * label.height
    draw(doc, content, left, top)
  }
  doc.end()
  return done
}

function draw(doc: PDFKit.PDFDocument, content: LabelContent, left: number, top: number): void {
  const { width, height, code, margin } = label
  const { side, path } = qrPath(content.address)
  doc
    .rect(left * MM, top * MM, width * MM, height * MM)
    .lineWidth(0.25)
    .stroke('#b8c4c9')
  doc.save()
  doc.translate((left + margin) * MM, (top + (height - code) / 2) * MM).scale((code * MM) / side)
  doc.path(path).fill('#000')
  doc.restore()
  doc.fillColor('#000')
  let y = top + 4
  for (const { text, size, bold } of labelLines(content)) {
    const printed = pdfText(text)
    doc.font(pdfFont(printed, bold ? 'bold' : 'regular')).fontSize(size * MM)
    doc.text(printed, (left + margin + code + 2) * MM, y * MM, { lineBreak: false })
    y += size * 1.32
  }
}
