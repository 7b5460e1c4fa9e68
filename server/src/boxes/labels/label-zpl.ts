import { qrPath } from '#server/images/qr-path.ts'
import { type LabelContent, label, labelLines } from './label-content.ts'

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
    '^XZ\n',
  ].join('\n')
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
