import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SiteEmail } from '@befaqt/domain/email-templates'
import { type EmailName, emailTexts } from '@befaqt/domain/email-texts'
import { EventFeed } from '#server/db/event-feed.ts'
import { siteVersions } from '#server/db/schema/site.ts'
import { DO_NOT_EAT, filledEmail, text } from '#server/mail/email-content.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { SiteSettings } from './settings.ts'

const ours = ({ title: _, button: __, ...said }: (typeof emailTexts)[EmailName]) => said
const placed = { part: 'email', email: 'order-placed', ...ours(emailTexts['order-placed']) } as const
const recalled = { part: 'email', email: 'order-recalled', ...ours(emailTexts['order-recalled']) } as const
const save = (shop: OrderShop, value: object) => shop.admin('PUT', '/api/manage/site', value)
const preview = (shop: OrderShop, value: object) =>
  shop.admin('POST', '/api/manage/site/email-preview', value)

for (const [name, open] of testDatabases)
  test(`${name}: what an email says is edited, known to another process at once, undone, and follows the shop's words where it is them`, async () => {
    await using shop = await shopWithOrders({ open })
    const other = new SiteSettings(shop.database, shop.deps.site.setup)
    await using following = new AsyncDisposableStack()
    following.defer(await new EventFeed(shop.database, shop.deps.log).start([other], 3_600_000))
    await other.current()
    const saved = await save(shop, { ...placed, subject: 'Caught! {{order}}', heading: '<b>Thanks</b>' })
    assert.equal(saved.statusCode, 200, saved.body)
    assert.equal(saved.json().key, 'email.order-placed')
    while ((await other.current()).email('order-placed').subject === placed.subject) await sleep(20)
    const deps = { site: { known: await other.current() }, siteFile: { name: 'Shop' } }
    const filling = { order: '{{shop}}', details: [text('D')], links: [text('L')] }
    const email = filledEmail(deps, 'order-placed', filling)
    assert.deepEqual([email.subject, email.heading], ['Caught! {{shop}}', '<b>Thanks</b>'])
    assert.deepEqual(email.blocks.slice(1), [text('D'), text('L')])

    const restored = await shop.admin('POST', '/api/manage/site/email.order-placed/restoration', { to: 0 })
    assert.equal(restored.json().value.subject, placed.subject)
    await save(shop, { ...placed, subject: 'Caught!' })
    const typed = (await save(shop, placed)).json()
    assert.deepEqual([typed.version, typed.isSetup], [4, true], 'the shop’s own words, typed, are no edit')
    const later = { ...placed, subject: 'New words' }
    const next = new SiteSettings(
      shop.database,
      new Map([...shop.deps.site.setup, ['email.order-placed', later]]),
    )
    assert.equal((await next.current()).email('order-placed').subject, 'New words')
  })

test('a template without its link, with a placeholder that is none, or without what a recall has to say is refused by its path', async () => {
  await using shop = await shopWithOrders()
  for (const [value, path, words] of [
    [{ ...placed, text: 'Hello\n\n{{details}}' }, 'text', /\{\{links\}\} is missing: buttons/],
    [{ ...placed, text: '{{links}}' }, 'text', /\{\{details\}\} is missing/],
    [{ ...placed, text: `${placed.text} {{price}}` }, 'text', /\{\{price\}\} is nothing/],
    [{ ...placed, text: `${placed.text} {{ links` }, 'text', /two braces begin a placeholder/],
    [{ ...placed, text: `${placed.text}\n{{links}}` }, 'text', /\{\{links\}\} is there twice/],
    [{ ...placed, text: 'Here: {{links}}\n{{details}}' }, 'text', /\{\{links\}\} must be alone in its line/],
    [{ ...placed, subject: '{{details}}' }, 'subject', /\{\{details\}\} is nothing/],
    [{ ...placed, subject: 'a\nBcc: b@example.org' }, 'subject', /cannot be shown/],
    [{ ...placed, text: ' ' }, 'text', /text is required/],
    [{ ...placed, email: 'nothing' }, 'email', /there is no such email/],
    [{ ...recalled, subject: 'About your order' }, 'subject', /\{\{do-not-eat-it\}\} is missing/],
    [{ ...recalled, heading: 'Some news' }, 'heading', /\{\{please-do-not-eat\}\} is missing/],
    [{ ...recalled, text: 'All is well.\n{{details}}\n{{links}}' }, 'text', /\{\{recall\}\} is missing/],
  ] as const)
    for (const ask of [save, preview]) {
      const refused = await ask(shop, value)
      assert.equal(refused.statusCode, 400, refused.body)
      const [field] = refused.json().error.fields
      assert.equal(field.path, path)
      assert.match(field.message, words)
    }
  assert.equal((await shop.deps.db.select().from(siteVersions)).length, 0)
})

test('a preview is the email as it would be sent, as HTML and as text, in which HTML is shown as it was typed', async () => {
  await using shop = await shopWithOrders()
  const shown = await preview(shop, {
    ...placed,
    subject: 'From {{shop}}',
    text: `Hi <script>alert(1)</script>\nSecond\n${placed.text}`,
  })
  assert.equal(shown.statusCode, 200, shown.body)
  const { subject, html, text: plain } = shown.json()
  assert.equal(subject, 'From BeFAQT')
  assert.match(html, /Hi &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/p>\n<p[^>]*>Second<\/p>/)
  assert.match(html, />See your order<\/a>/)
  assert.match(
    plain,
    /Hi <script>alert\(1\)<\/script>\n\nSecond\n\n[\s\S]*Order: SAMPLE-1[\s\S]*See your order:\nhttp/,
  )
})

test('each email is valid as it begins; one that lacks what it needs by now says what the shop began with', async () => {
  await using shop = await shopWithOrders()
  for (const [email, said] of Object.entries(emailTexts)) {
    const checked = SiteEmail.safeParse({ part: 'email', email, ...ours(said) })
    assert.ok(checked.success, `${email}: ${checked.error?.message}`)
  }
  const value = { ...recalled, text: 'An earlier text.' }
  await shop.deps.db
    .insert(siteVersions)
    .values({ part: 'email.order-recalled', version: 1, value, who: 'a' })
  const other = new SiteSettings(shop.database, shop.deps.site.setup)
  const known = await other.current()
  const email = filledEmail({ site: { known }, siteFile: { name: 'Shop' } }, 'order-recalled', {
    ...DO_NOT_EAT,
    order: '1',
    recall: [text('Do not eat it')],
  })
  assert.equal(email.subject, 'Do not eat it: recall of fish in your order 1')
  assert.deepEqual(email.blocks, [text('Do not eat it')])
})
