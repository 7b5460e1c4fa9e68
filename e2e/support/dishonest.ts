import type { Page, Route } from 'playwright-core'

/** As much of a box page's data as the lies are about. */
export type PageData = {
  box: {
    fisher: object
    catchProv: object | null
    imageProc: unknown[]
    iotResult: { iotTracking: object[] } | null
  }
  figures: { coldChain: object | null }
  records: { recordHash: string; corrects?: number }[]
}

/** What a dishonest shop makes of the data of a box page: it changes them, or answers others. */
export type Lie = (view: PageData) => PageData | undefined

/** Changes the data of a box page on its way to this browser, also when it asks again. Proof, ledger and scripts stay true. */
export async function falsifyBoxPage(page: Page, boxID: string, lie: Lie): Promise<void> {
  const path = `/api/box/${boxID}/page`
  const lied = async (route: Route) => {
    const response = await route.fetch({ url: new URL(path, route.request().url()).href })
    const view: PageData = await response.json()
    return { response, view: lie(view) ?? view }
  }
  await page.route(`**${path}`, async (route) => {
    const { response, view } = await lied(route)
    await route.fulfill({ response, json: view })
  })
  await page.route(`**${path}/news?*`, async (route) => {
    const { response, view } = await lied(route)
    const kept = { records: 0, readings: 0, freshness: 0 }
    await route.fulfill({ response, json: { kept, page: view } })
  })
}

/** Hands out something else in the place of a box's proof. */
export const falsifyProof = (
  page: Page,
  boxID: string,
  change: (proof: string) => string | Promise<string>,
): Promise<unknown> =>
  page.route(`**/api/box/${boxID}/proof`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: await change(await answer.text()) })
  })

/** A ledger server that is not on the shop's host, as far as a browser can tell. */
export const NODE = 'https://node.example/'

/**
 * Lets this browser reach an honest node on another host.
 * @param isKept the visitor named it on an earlier visit
 */
export async function askNodeElsewhere(page: Page, shop: string, isKept = true): Promise<void> {
  await page.route(`${NODE}**`, async (route) => {
    const response = await route.fetch({ url: `${shop}/api/chain/rpc` })
    await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } })
  })
  if (isKept)
    await page.addInitScript((node) => {
      window.localStorage.setItem('befaqt.ledger-servers', JSON.stringify([node]))
    }, NODE)
}

/** Changes the HTML of pages on its way to this browser. */
export const falsifyHtml = (page: Page, lie: (html: string) => string): Promise<unknown> =>
  page.route('**/SFMBox/byId/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, body: lie(await response.text()) })
  })

/** The shop's own node answers with an older number of anchors. */
export const olderCount = (page: Page, count: number): Promise<unknown> =>
  page.route('**/api/chain/rpc', async (route) => {
    const calls: { id: number; method: string; params: [{ data?: string }] }[] = route
      .request()
      .postDataJSON()
    const response = await route.fetch()
    const answers: { id: number; result: string }[] = await response.json()
    const counts = new Set(
      calls.filter(({ params: [first] }) => first?.data?.length === 10).map(({ id }) => id),
    )
    const json = answers.map((answer) =>
      counts.has(answer.id) ? { ...answer, result: `0x${count.toString(16).padStart(64, '0')}` } : answer,
    )
    await route.fulfill({ response, json })
  })
