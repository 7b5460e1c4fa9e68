import { shownTime } from '@befaqt/domain/market-time'
import { eq } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { qrPath } from '#server/images/qr-path.ts'
import { boxNotFound } from './lock-box.ts'
import type { Market } from './summary/box-summary.ts'

/** Millimetres of the label, and side of its code. Drawn at ten units a millimetre. */
const WIDTH = 100
const HEIGHT = 60
const CODE = 48
const MARGIN = 4
/** Characters that fit beside the code. */
const LINE = 24

/** What a label is made of. */
export type BoxLabelDeps = {
  db: Db
  config: Pick<Config, 'PUBLIC_URL'>
  siteFile: { name: string; market: Pick<Market, 'timeZone'> }
}

/** A printable label: code of the box's address, its id, species, place and date of the catch. @throws ShopError `box.not_found` */
export async function boxLabel({ db, config, siteFile }: BoxLabelDeps, boxID: string): Promise<string> {
  const [box] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  if (box === undefined) throw boxNotFound()
  const { side, path } = qrPath(`${config.PUBLIC_URL}/SFMBox/byId/${encodeURIComponent(boxID)}`)
  const place = box.summary?.catchPlace ?? ''
  const caught = box.summary?.catchTime
    ? `Caught ${shownTime(box.summary.catchTime, siteFile.market.timeZone).date}`
    : ''
  const lines = [...broken(box.species, 2), ...broken(place, 3), caught].filter((text) => text !== '')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}mm" height="${HEIGHT}mm" viewBox="0 0 ${WIDTH * 10} ${HEIGHT * 10}" role="img" aria-label="${escapeHtml(`Label of box ${boxID}`)}">
<rect width="100%" height="100%" fill="#fff"/>
<g transform="translate(${MARGIN * 10} ${((HEIGHT - CODE) / 2) * 10}) scale(${(CODE * 10) / side})"><path fill="#000" d="${path}"/></g>
<g font-family="Helvetica, Arial, sans-serif" fill="#000">
<text x="540" y="90" font-size="30">${escapeHtml(siteFile.name)}</text>
${broken(boxID, 4)
  .map(
    (text, i) =>
      `<text x="540" y="${150 + i * 44}" font-size="40" font-weight="700">${escapeHtml(text)}</text>`,
  )
  .join('\n')}
${lines.map((text, i) => `<text x="540" y="${330 + i * 42}" font-size="32">${escapeHtml(text)}</text>`).join('\n')}
</g>
</svg>
`
}

/** Lines of a text, broken at spaces where there are some; what does not fit ends with an ellipsis. */
function broken(text: string, most: number): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '' && lines.length < most) {
    const space = rest.lastIndexOf(' ', LINE)
    const end = rest.length <= LINE ? rest.length : space > 0 ? space : LINE
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trim()
  }
  const last = lines.pop()
  if (last === undefined) return []
  return [...lines, rest === '' ? last : `${last.slice(0, LINE - 1)}…`]
}
