import { escapeHtml } from '#server/http/escape-html.ts'
import { qrPath } from '#server/images/qr-path.ts'
import { type LabelContent, label, labelLines } from './label-content.ts'

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
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width * 10} ${height * 10}" role="img" aria-label="${escapeHtml(`Label of box ${content.boxID}`)}">
<rect width="100%" height="100%" fill="#fff"/>
<g transform="translate(${margin * 10} ${((height - code) / 2) * 10}) scale(${(code * 10) / side})"><path fill="#000" d="${path}"/></g>
<g font-family="Helvetica, Arial, sans-serif" fill="#000">
${texts.join('\n')}
</g>
</svg>
`
}
