import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '#server/http/escape-html.ts'

/** Where a link of a text may lead: to a page of ours, to another site, to a mail program or a telephone. */
const LINK = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)[^\s\\]*$/i
/** A picture of ours, with its size where that is known: `/brand/ledger.svg#720x300`. */
const PICTURE = /^(\/(?![/\\])[^\s\\#]*)(?:#(\d{1,4})x(\d{1,4}))?$/

/** In attributes nothing is filled in for `{{…}}`: what that is may be more than text. */
const attribute = (text: string): string => escapeHtml(text).replaceAll('{', '&#123;')

const renderer = {
  /** HTML in a text is text. */
  html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text)
  },
  /** A link to elsewhere than LINK allows is its words. */
  link(this: { parser: { parseInline(tokens: Token[]): string } }, { href, tokens }: Tokens.Link): string {
    const words = this.parser.parseInline(tokens)
    return LINK.test(href) ? `<a href="${attribute(href)}">${words}</a>` : words
  },
  /** A picture from elsewhere is its description. With a title it is a figure that has this below it. */
  image({ href, text, title }: Tokens.Image): string {
    const [, path, width, height] = PICTURE.exec(href) ?? []
    if (path === undefined) return escapeHtml(text)
    const size = width && height ? ` width="${width}" height="${height}"` : ''
    const picture = `<img src="${attribute(path)}"${size} alt="${attribute(text)}">`
    return title ? `${picture}<figcaption>${escapeHtml(title)}</figcaption>` : picture
  },
  /** A picture with a title, alone in its paragraph. */
  paragraph(
    this: { parser: { parseInline(tokens: Token[]): string } },
    { tokens }: Tokens.Paragraph,
  ): string {
    const inner = this.parser.parseInline(tokens)
    const [only] = tokens
    return tokens.length === 1 && only?.type === 'image' && inner.includes('<figcaption>')
      ? `<figure>${inner}</figure>\n`
      : `<p>${inner}</p>\n`
  },
}

const texts = new Marked({ gfm: true, renderer })

/** Texts that were made into HTML, all of a site and some that were previewed: an odd one takes a second or two. */
const MAX_MADE = 100
const made = new Map<string, string>()

/** A text in Markdown as HTML that can't do harm, whoever wrote it: what is not Markdown stays text. Never throws. */
export function textHtml(markdown: string): string {
  const known = made.get(markdown)
  if (known !== undefined) return known
  const html = madeHtml(markdown)
  const [oldest] = made.keys()
  if (made.size >= MAX_MADE && oldest !== undefined) made.delete(oldest)
  made.set(markdown, html)
  return html
}

function madeHtml(markdown: string): string {
  try {
    return texts.parse(markdown, { async: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `<p>${escapeHtml(markdown)}</p>\n` // nested deeper than the stack is
  }
}
