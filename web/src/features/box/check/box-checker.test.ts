import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { COUNT_SELECTOR } from '@befaqt/provenance/rpc-ledger'
import { registerBoxOf } from '@befaqt/provenance/signed/device-register'
import { Signer } from '@befaqt/provenance/signed/signer'
import { grow, liesOfNews, newsSince } from '@befaqt/provenance/testing/lies-of-news'
import { loggedBundle, logOf, twoOfThree, witnesses } from '@befaqt/provenance/testing/logged-shop'
import { type AnswerCall, honestAnswers, rpcNode } from '@befaqt/provenance/testing/rpc-node'
import { contract, Shop } from '@befaqt/provenance/testing/shop'
import { appendWeighing } from '@befaqt/provenance/testing/signed-histories'
import { verifyBundle } from '@befaqt/provenance/verify'
import { honestPage, market, payloads } from '../testing/honest-page.ts'
import { BoxChecker } from './box-checker.ts'
import type { SeenNote } from './kept-log.ts'
import { provenPage, type ShownPage } from './page-match.ts'

function shopOfBox(): Shop {
  const shop = new Shop()
  shop.append('B', 'registration')
  shop.anchor()
  for (const payload of payloads)
    if (payload) shop.append('A', payload.kind as 'tracking', { ...payload.data })
  shop.anchor()
  return shop
}

/** The page that an honest shop shows of box A. */
async function pageOf(shop: Shop): Promise<ShownPage> {
  const bundle = shop.bundleOf('A')
  const result = await verifyBundle(bundle, shop.ledger())
  const view = honestPage({ bundle, result })
  const anchored = { market, view: { ...view, recall: null, stage: 'at market' } } as const
  return { market, view: provenPage(bundle, result, anchored) }
}

/** A visitor's checker at a shop; `news` are what the shop answers for them. */
async function visitor(shop: Shop) {
  const node = await rpcNode((method, params) => honestAnswers(shop)(method, params))
  const asked: string[] = []
  let news: () => unknown = () => undefined
  const checker = new BoxChecker(async (url) => {
    asked.push(url.slice('/api/box/A'.length))
    const answer = url.includes('/news') ? news() : shop.bundleOf('A')
    return typeof answer === 'object' ? JSON.stringify(answer) : (answer as string | undefined)
  }, 'https://shop.example/')
  return {
    asked,
    answerNews: (answer: () => unknown) => {
      news = answer
    },
    check: async (page: ShownPage, rpc = node.url) => {
      asked.length = 0
      const nodes = [rpc]
      const terms = {
        boxID: 'A',
        nodes,
        contract,
        policy: null,
        timeZone: market.timeZone,
        page,
        remembered: new Map(),
      }
      const found = await checker.run({ ...terms, since: true }, () => undefined)
      assert.equal(found.type, 'done')
      return found.type === 'done' ? [found.result.verdict, found.page?.kind] : []
    },
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  }
}

test('after the whole, only what came since is fetched, again and again', async () => {
  const shop = shopOfBox()
  await using at = await visitor(shop)
  assert.deepEqual(await at.check(await pageOf(shop)), ['verified', 'same'])
  assert.deepEqual(at.asked, ['/proof'])
  for (let round = 0; round < 3; round++) {
    const former: ProofBundle = shop.bundleOf('A')
    grow(shop)
    at.answerNews(() => newsSince(former, shop.bundleOf('A')))
    assert.deepEqual(await at.check(await pageOf(shop)), ['verified', 'same'])
    const grown = former.anchors.at(-1)?.index
    assert.deepEqual(at.asked, [`/proof/news?after=${former.records.length}-${grown}&scales=1`])
  }
  await at.check(await pageOf(shop), 'http://127.0.0.1:9')
  assert.deepEqual(at.asked, ['/proof'], 'another node is asked about the whole')
})

for (const [what, tell] of liesOfNews)
  test(`news ${what}: the whole is fetched, and counts`, async () => {
    const shop = shopOfBox()
    await using at = await visitor(shop)
    await at.check(await pageOf(shop))
    const news = tell(shop, shop.bundleOf('A'))
    at.answerNews(() => news)
    const [verdict] = await at.check(await pageOf(shop))
    // A shop that does not know of the newest anchor yet, or hides it: it is not verified, nor was anything falsified.
    if (at.asked.length === 1) return assert.equal(verdict, 'incomplete')
    assert.equal(at.asked.at(-1), '/proof')
    assert.equal(verdict, (await verifyBundle(shop.bundleOf('A'), shop.ledger())).verdict)
    if (verdict === 'verified') return
    await at.check(await pageOf(shop))
    assert.deepEqual(at.asked, ['/proof'], 'nothing is remembered of what was not proven')
  })

for (const [what, answer] of [
  ['are refused', () => undefined],
  ['are no JSON', () => '{'],
  ['give a name twice', () => '{"v":2,"v":2}'],
  ['fail', () => assert.fail('unreachable')],
] as const)
  test(`news that ${what}: the whole is fetched`, async () => {
    const shop = shopOfBox()
    await using at = await visitor(shop)
    await at.check(await pageOf(shop))
    at.answerNews(answer)
    assert.deepEqual(await at.check(await pageOf(shop)), ['verified', 'same'])
    assert.equal(at.asked.at(-1), '/proof')
  })

test('news that are true, beside a page that shows something else: the whole is fetched', async () => {
  const shop = shopOfBox()
  await using at = await visitor(shop)
  await at.check(await pageOf(shop))
  const former = shop.bundleOf('A')
  grow(shop)
  at.answerNews(() => newsSince(former, shop.bundleOf('A')))
  const { view, ...page } = await pageOf(shop)
  assert.deepEqual(await at.check({ ...page, view: { ...view, sealed: true } }), ['verified', 'differs'])
  assert.equal(at.asked.at(-1), '/proof')
})

test('of a weight that a scale signed the register is asked for, once more where no reading is signed', async () => {
  const [shop, scale] = [shopOfBox(), new Signer()]
  shop.append(registerBoxOf(scale.id), 'device', scale.entry('sensor', '2020-01-01T00:00:00Z'))
  const weigh = (counter: number) => {
    const said = { box: 'A', of: 'box', grams: 41_000 - counter, timeS: 1_795_222_000 + counter } as const
    appendWeighing(shop, 'A', scale.weighing({ ...said, counter }))
    shop.anchor()
  }
  const shown = (): ProofBundle => ({
    ...shop.bundleOf('A'),
    devices: [shop.bundleOf(registerBoxOf(scale.id))],
  })
  await using node = await rpcNode((method, params) => honestAnswers(shop)(method, params))
  const asked: string[] = []
  let former = shown()
  const checker = new BoxChecker(async (url) => {
    asked.push(url.slice('/api/box/A'.length))
    const whole = url.endsWith('scales=1') ? shown() : shop.bundleOf('A')
    return JSON.stringify(url.includes('/news') ? newsSince(former, whole) : whole)
  }, 'https://shop.example/')
  const check = async () => {
    const about = { boxID: 'A', nodes: [node.url], contract, policy: null, timeZone: market.timeZone }
    const page = await pageOf(shop)
    const found = await checker.run({ ...about, page, remembered: new Map(), since: true }, () => undefined)
    assert.ok(found.type === 'done')
    return [found.result.verdict, found.page?.kind, found.result.balance?.signature?.state]
  }
  weigh(1)
  assert.deepEqual(await check(), ['verified', 'same', 'good'])
  assert.deepEqual(asked.splice(0), ['/proof', '/proof?scales=1'])
  former = shown()
  weigh(2)
  assert.deepEqual(await check(), ['verified', 'same', 'good'])
  assert.deepEqual(asked, [
    `/proof/news?after=${former.records.length}-${former.anchors.at(-1)?.index}&scales=1`,
  ])
})

test('with a policy the proof is fetched with its log, each time whole, and the page is worth what the witnesses are', async () => {
  const shop = shopOfBox()
  await using node = await rpcNode((method, params) => honestAnswers(shop)(method, params))
  const timeS = Math.floor(Date.now() / 1000) - 3_700
  const asked: string[] = []
  let signers = witnesses.slice(0, 2)
  const checker = new BoxChecker(async (url) => {
    asked.push(url)
    const bundle = url.endsWith('?log=1')
      ? await loggedBundle(shop, 'A', { timeS, signers })
      : shop.bundleOf('A')
    return JSON.stringify({ ...bundle, ledger: { ...bundle.ledger, rpc: node.url } })
  }, 'https://shop.example/')
  const page = await pageOf(shop)
  const terms = { boxID: 'A', nodes: [], contract, timeZone: market.timeZone, page, remembered: new Map() }
  const check = async (policy: string | null) => {
    const found = await checker.run({ ...terms, policy, since: true }, () => undefined)
    return found.type === 'done' ? [found.result.verdict, found.asked.grade, found.witnesses] : found
  }
  const said = 'Witnessed by 2 of 3 (market, 1 hour ago; university, 1 hour ago), up to record'
  for (let round = 0; round < 2; round++) {
    const [verdict, grade, words] = (await check(twoOfThree)) as string[]
    assert.deepEqual([verdict, grade, words?.startsWith(said)], ['verified', 'witnessed', true])
  }
  assert.deepEqual(asked, ['/api/box/A/proof?log=1', '/api/box/A/proof?log=1'])
  signers = witnesses.slice(0, 1)
  const [, grade, words] = (await check(twoOfThree)) as string[]
  assert.deepEqual(
    [grade, words],
    ['own', 'Signed by 1 of 3 (market, 1 hour ago): fewer than the policy asks for.'],
  )
  assert.deepEqual(await check(null), ['verified', 'own', undefined])
  assert.deepEqual(await check('quorum nobody\n'), {
    type: 'failed',
    message: 'The policy that this browser keeps could not be read. Forget it, or choose another.',
  })
})

test('a browser that saw the log before asks for it with the proof, and for news as ever; another keeps it once all is proven', async () => {
  const shop = shopOfBox()
  await using node = await rpcNode((method, params) => honestAnswers(shop)(method, params))
  const log = logOf(shop)
  const asked: string[] = []
  const kept: string[] = []
  let former: ProofBundle = shop.bundleOf('A')
  const get = async (url: string) => {
    asked.push(url)
    if (url.includes('/news')) return JSON.stringify(newsSince(former, shop.bundleOf('A')))
    return JSON.stringify(url.endsWith('?log=1') ? await loggedBundle(shop, 'A') : shop.bundleOf('A'))
  }
  const check = async (at: BoxChecker, page: ShownPage) => {
    const about = { boxID: 'A', nodes: [node.url], contract, policy: null, timeZone: market.timeZone }
    const found = await at.run({ ...about, page, remembered: new Map(), since: true }, () => undefined)
    assert.ok(found.type === 'done')
    return [found.result.verdict, found.seen?.title, found.witnesses, found.memory?.now?.count]
  }
  const visitorWho = (seen: SeenNote | null) =>
    new BoxChecker(get, 'https://shop.example/', {
      kept: async () => seen,
      keepFirst: async () => void kept.push('kept'),
    })
  const seen = { note: await log.note(), size: log.size, at: '2026-11-24T04:05:00Z' }
  const count = former.records.length
  const returning = visitorWho(seen)
  assert.deepEqual(await check(returning, await pageOf(shop)), ['verified', undefined, undefined, count])
  grow(shop)
  const grown = await check(returning, await pageOf(shop))
  assert.deepEqual(grown.slice(0, 2), ['verified', undefined])
  const news = `/api/box/A/proof/news?after=${count}-${former.anchors.at(-1)?.index}&scales=1`
  assert.deepEqual(asked.splice(0), ['/api/box/A/proof?log=1', news])

  former = shop.bundleOf('A')
  const fork = logOf(shop).fork(1).append('another', 'history')
  assert.equal(fork.size, shop.anchors.length, 'else files of the log would be asked for')
  const misled = visitorWho({ ...seen, note: await fork.note() })
  const other = ['verified', 'Another log', undefined, undefined]
  assert.deepEqual(await check(misled, await pageOf(shop)), other, 'and what it shows is not remembered')
  assert.deepEqual(await check(misled, await pageOf(shop)), other)
  assert.deepEqual(asked.splice(0), ['/api/box/A/proof?log=1', '/api/box/A/proof?log=1'])

  assert.deepEqual(kept, [])
  const first = visitorWho(null)
  const { view, ...at } = await pageOf(shop)
  await check(first, { ...at, view: { ...view, sealed: true } })
  assert.deepEqual(kept, [], 'nothing of a page that is not what its records make')
  await check(first, { ...at, view })
  assert.deepEqual(kept, ['kept'])
  assert.deepEqual(asked, ['/api/box/A/proof', '/api/box/A/proof'])
})

test('a ledger that says how many anchors there are to whoever asks once more, and not to the verifier, is as old as it was', async () => {
  const shop = shopOfBox()
  const [older, page] = [await loggedBundle(shop, 'A'), await pageOf(shop)]
  const putBack = honestAnswers(shop)
  const before = shop.anchors.length
  for (let i = 0; i < 2; i++) grow(shop)
  let counted = 0
  const answer: AnswerCall = (method, params) => {
    const isCount = method === 'eth_call' && Object(params[0]).data === COUNT_SELECTOR
    if (isCount && ++counted > 1) return honestAnswers(shop)(method, params)
    return isCount ? `0x${before.toString(16).padStart(64, '0')}` : putBack(method, params)
  }
  await using node = await rpcNode(answer)
  const seen = { note: await logOf(shop).note(), size: shop.anchors.length, at: '2026-11-24T04:05:00Z' }
  const checker = new BoxChecker(async () => JSON.stringify(older), 'https://shop.example/', {
    kept: async () => seen,
    keepFirst: async () => assert.fail('it is kept'),
  })
  const about = { boxID: 'A', nodes: [node.url], contract, policy: null, timeZone: market.timeZone }
  const found = await checker.run({ ...about, page, remembered: new Map() }, () => undefined)
  assert.ok(found.type === 'done')
  assert.deepEqual(
    [found.result.verdict, found.seen?.title],
    ['verified', 'Older than what this browser saw'],
  )
})
