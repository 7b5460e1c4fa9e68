import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textHtml } from './text-html.ts'

/** All that a text becomes but words: these elements, with these attributes. */
const TAG =
  /^<\/?(?:p|a|em|strong|code|pre|ul|ol|li|h[1-6]|blockquote|br|hr|table|thead|tbody|tr|t[hd]|del|img|figure|figcaption)(?: (?:href|src|alt|width|height|class)="[^"<>]*")*>$/

const harmful = [
  '<script>alert(1)</script>',
  'a <script src="https://evil.example/x.js"></script> b',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{display:none}</style>',
  '<!-- x --><script>alert(1)</script>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x]( javascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:msgbox(1))',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![x](https://evil.example/track.gif)',
  '![x](//evil.example/track.gif)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x" onerror="alert(1)](/brand/ledger.svg)',
  '![x](/brand/ledger.svg "a" onerror="alert(1)")',
  '[x](https://ok.example/"onclick="alert(1))',
  '[x](https://ok.example "a\\" onclick=\\"alert(1)")',
  '```"><script>alert(1)</script>\nx\n```',
  '`<script>alert(1)</script>`',
  '| <script> |\n|---|\n| <img src=x onerror=alert(1)> |',
  '[{{seller}}](https://ok.example/{{seller}} "{{market}}")',
  '![{{market}}](/brand/{{market}})',
]

for (const text of harmful)
  test(`harmless: ${JSON.stringify(text)}`, () => {
    const html = textHtml(text)
    for (const [tag] of html.matchAll(/<[^>]*>?/g)) assert.match(tag, TAG, html)
    for (const [, where = ''] of html.matchAll(/\s(?:href|src)="([^"]*)"/g))
      assert.match(where, /^(?:https:\/\/ok\.example|\/brand\/)/, html)
    for (const [tag] of html.matchAll(/<[^>]*>/g)) assert.ok(!tag.includes('{{'), tag)
  })

test('Markdown stays what it is: links, pictures of ours, figures, tables, what is filled in', () => {
  assert.equal(
    textHtml('[Terms](/about/terms), [us](https://ok.example/a?b=1&c=2)'),
    '<p><a href="/about/terms">Terms</a>, <a href="https://ok.example/a?b=1&amp;c=2">us</a></p>\n',
  )
  assert.equal(
    textHtml('[Call](tel:+61290041100) [write](mailto:a@b.example)'),
    '<p><a href="tel:+61290041100">Call</a> <a href="mailto:a@b.example">write</a></p>\n',
  )
  assert.equal(
    textHtml('![A & B](/brand/ledger.svg#720x300 "So it is")'),
    '<figure><img src="/brand/ledger.svg" width="720" height="300" alt="A &amp; B"><figcaption>So it is</figcaption></figure>\n',
  )
  assert.equal(textHtml('![A](/brand/ledger.svg)'), '<p><img src="/brand/ledger.svg" alt="A"></p>\n')
  assert.equal(textHtml('{{seller}}'), '<p>{{seller}}</p>\n')
  assert.match(textHtml('| a |\n|---|\n| b |'), /<table>[\s\S]*<td>b<\/td>/)
  assert.equal(textHtml('Fish < meat & <b>bold</b>'), '<p>Fish &lt; meat &amp; &lt;b&gt;bold&lt;/b&gt;</p>\n')
})

test('what is nested deeper than anybody writes is shown as it was typed, and takes no page with it', () => {
  assert.equal(textHtml('>'.repeat(20_000)), `<p>${'&gt;'.repeat(20_000)}</p>\n`)
  assert.ok(textHtml('['.repeat(20_000)).length > 20_000)
})
