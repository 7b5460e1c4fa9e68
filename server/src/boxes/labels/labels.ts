import { buffer } from 'node:stream/consumers'
import * as endpoints from '@befaqt/domain/api/endpoints/box-page'
import { BoxIDs } from '@befaqt/domain/box-values'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { MONOSPACE } from '#server/anchoring/index.ts'
import { boxIDOf } from '#server/boxes/box-access.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { assertBoxAccess } from '#server/identity/principal.ts'
import { pdfFont, pdfText } from '#server/images/pdf-text.ts'
import { qrPath } from '#server/images/qr-path.ts'
import { type LabelContent, type LabelDeps, label, labelContents, labelLines } from './label-content.ts'
import { placeReceipt, RECEIPT_LETTERS, RECEIPT_MODULE } from './label-receipt.ts'

/** The media types of printed labels. */
export const PRINTED = 'application/pdf, application/x-zpl'

const Printed = z.object({
  box: BoxIDs,
  format: z.enum(['pdf', 'zpl'], 'must be pdf or zpl').default('pdf'),
})

const labelOperations = defineRoutes(endpoints, {
  readLabel: {
    access: 'public',
    limits: 'history',
    summary: 'Printable label with the code of the box’s address.',
    responses: { 200: 'image/svg+xml' },
  },
  printLabels: {
    access: { right: 'box:write' },
    limits: 'manage-read',
    summary: 'Labels of up to 100 boxes: a PDF of A4 sheets with ten each, or ZPL for thermal printers.',
    query: Printed,
    responses: { 200: PRINTED },
    errors: [404],
  },
})

/** Labels of boxes, 100 by 50 mm. Source: standards.md 'GS1 Digital Link'. */
export function labelRoutes(app: FastifyInstance, deps: LabelDeps): void {
  registerRoute(app, labelOperations.readLabel, async ({ params, reply }) => {
    const [content] = await labelContents(deps, [boxIDOf(params)])
    return reply
      .type('image/svg+xml; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(content && labelSvg(content))
  })
  registerRoute(app, labelOperations.printLabels, async ({ query, principal, reply }) => {
    for (const boxID of query.box) assertBoxAccess(principal, boxID)
    return sendLabels(reply, await labelContents(deps, query.box), query.format)
  })
}

/** Answers with labels: on A4 sheets, or as commands of a thermal printer. */
export async function sendLabels(
  reply: FastifyReply,
  contents: readonly LabelContent[],
  format: 'pdf' | 'zpl',
): Promise<FastifyReply> {
  if (format === 'pdf')
    return reply
      .type('application/pdf')
      .header('content-disposition', 'inline; filename="labels.pdf"')
      .send(await labelsPdf(contents))
  return reply
    .type('application/x-zpl')
    .header('content-disposition', 'attachment; filename="labels.zpl"')
    .send(labelsZpl(contents))
}

/** A label as a picture, drawn at ten units a millimetre. */
export function labelSvg(content: LabelContent): string {
  const { width, height, code, margin } = label
  const { side, path } = qrPath(content.address)
  let y = 4
  const texts = labelLines(content).map(({ text, size, bold }) => {
    y += size * 1.32
    const weight = bold ? ' font-weight="700"' : ''
    return `<text x="${(margin + code) * 10 + 20}" y="${Math.round(y * 10)}" font-size="${size * 10}"${weight}>${escapeHtml(text)}</text>`
  })
  const receipt = placeReceipt(content)
  for (const line of receipt.lines)
    texts.push(
      `<text x="${Math.round(line.x * 10)}" y="${Math.round((line.y + RECEIPT_LETTERS) * 10)}" font-family="${MONOSPACE}" font-size="${RECEIPT_LETTERS * 10}">${escapeHtml(line.text)}</text>`,
    )
  const small =
    receipt.code === null
      ? ''
      : `<g transform="translate(${receipt.code.x * 10} ${receipt.code.y * 10}) scale(${RECEIPT_MODULE * 10})"><path fill="#000" d="${receipt.code.path}"/></g>\n`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width * 10} ${height * 10}" role="img" aria-label="${escapeHtml(`Label of box ${content.boxID}`)}">
<rect width="100%" height="100%" fill="#fff"/>
<g transform="translate(${margin * 10} ${((height - code) / 2) * 10}) scale(${(code * 10) / side})"><path fill="#000" d="${path}"/></g>
${small}<g font-family="Helvetica, Arial, sans-serif" fill="#000">
${texts.join('\n')}
</g>
</svg>
`
}

/** Points in a millimetre. */
const MM = 72 / 25.4
const A4 = { width: 210, height: 297 }
const COLUMNS = Math.floor(A4.width / label.width)
const ROWS = Math.floor(A4.height / label.height)
/** Where the first label begins, so that all are centred on the sheet. */
const LEFT = (A4.width - COLUMNS * label.width) / 2
const TOP = (A4.height - ROWS * label.height) / 2

/** Sheets of A4 with ten labels each, with hairlines to cut along. The library is loaded with the first one. */
async function labelsPdf(contents: readonly LabelContent[]): Promise<Buffer> {
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
  const receipt = placeReceipt(content)
  doc.font('Courier').fontSize(RECEIPT_LETTERS * MM)
  for (const line of receipt.lines)
    doc.text(pdfText(line.text), (left + line.x) * MM, (top + line.y) * MM, { lineBreak: false })
  if (receipt.code === null) return
  doc.save()
  doc.translate((left + receipt.code.x) * MM, (top + receipt.code.y) * MM).scale(RECEIPT_MODULE * MM)
  doc.path(receipt.code.path).fill('#000')
  doc.restore()
}

/** Dots in a millimetre of the usual thermal printers, of 203 dpi. */
const DOTS = 8
/** Modules of the empty margin on both sides, which the printer leaves to us. */
const QUIET = 8
/** The printer takes a size of modules from 1 to 10 dots. */
const MAX_MODULE = 10

/** Labels for thermal printers, one after the other. Source: Zebra's ZPL II Programming Guide. */
export const labelsZpl = (contents: readonly LabelContent[]): string => contents.map(labelZpl).join('')

function labelZpl(content: LabelContent): string {
  const { width, height, code, margin } = label
  const { side } = qrPath(content.address)
  const module = Math.min(MAX_MODULE, Math.floor((code * DOTS) / side))
  const modules = side - QUIET
  const [left, top] = [margin * DOTS, ((height - code) / 2) * DOTS].map((at) =>
    Math.round(at + (QUIET / 2) * module),
  )
  let y = 4
  const lines = labelLines(content).map(({ text, size }) => {
    const line = `^FO${(margin + code + 2) * DOTS},${Math.round(y * DOTS)}^A0N,${Math.round(size * DOTS)}^FH_^FD${escaped(text)}^FS`
    y += size * 1.32
    return line
  })
  return [
    '^XA',
    `^PW${width * DOTS}^LL${height * DOTS}^CI28`,
    `^FX ${modules} modules of ${module} dots`,
    `^FO${left},${top}^BQN,2,${module},M^FH_^FDMA,${escaped(content.address)}^FS`,
    ...lines,
    ...receiptZpl(content),
    '^XZ\n',
  ].join('\n')
}

function receiptZpl(content: LabelContent): string[] {
  const { code, lines } = placeReceipt(content)
  const dots = (mm: number): number => Math.round(mm * DOTS)
  const module = Math.round(RECEIPT_MODULE * DOTS)
  const quiet = (QUIET / 2) * module
  return [
    ...lines.map(
      ({ text, x, y }) => `^FO${dots(x)},${dots(y)}^A0N,${dots(RECEIPT_LETTERS)}^FH_^FD${escaped(text)}^FS`,
    ),
    ...(code === null
      ? []
      : [
          `^FO${dots(code.x) + quiet},${dots(code.y) + quiet}^BQN,2,${module},L^FH_^FDLA,${escaped(code.text)}^FS`,
        ]),
  ]
}

/** A text as the field of a command: what commands are made of, and all that is not ASCII, as bytes in hex. */
const escaped = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return byte > 0x1f && byte < 0x7f && !'^~_\\'.includes(char)
        ? char
        : `_${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
