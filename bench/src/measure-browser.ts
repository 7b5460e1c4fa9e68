import { chromium } from 'playwright-core'
import { SESSION_COOKIE } from '../../server/src/accounts/sessions/client.ts'
import { ms, row, tableHead } from './load-table.ts'
import { sized } from './sized.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
const PHONE = { viewport: { width: 390, height: 844 } }
/** Visits, of which the fastest counts. */
const VISITS = sized(3, 1)

type Visit = { nodes: number; busyMs: number; scriptMs: number; layoutMs: number }

/**
 * Prints the CPU time of pages in a phone-sized browser until they are hydrated.
 * @param url PUBLIC_URL of the shop
 */
export async function measureBrowser(url: string, paths: readonly string[], token: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
  })
  tableHead('page in Chromium', 'nodes', 'main thread, ms', 'script, ms', 'layout and style, ms')
  for (const path of paths) {
    const visits: Visit[] = []
    for (let i = 0; i < VISITS; i++) {
      await using context = await browser.newContext(PHONE)
      await context.addCookies([{ name: SESSION_COOKIE, value: token, url }])
      const page = await context.newPage()
      const cdp = await context.newCDPSession(page)
      await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
      await page.goto(url + path, { timeout: 120_000 })
      await page.waitForFunction(takenOver, undefined, { timeout: 120_000 })
      const { metrics } = await cdp.send('Performance.getMetrics')
      visits.push(visitOf(new Map(metrics.map(({ name, value }) => [name, value]))))
    }
    const best = visits.reduce((a, b) => (a.busyMs < b.busyMs ? a : b))
    row(path, best.nodes, ms(best.busyMs), ms(best.scriptMs), ms(best.layoutMs))
  }
  await browser.close()
}

/** Pages mark when they answer to script. */
const takenOver = (): boolean => performance.getEntriesByName('hydrated').length > 0

/** Chromium reports seconds. */
function visitOf(metrics: ReadonlyMap<string, number>): Visit {
  const inMs = (name: string): number => 1_000 * (metrics.get(name) ?? 0)
  return {
    nodes: metrics.get('Nodes') ?? 0,
    busyMs: inMs('TaskDuration'),
    scriptMs: inMs('ScriptDuration'),
    layoutMs: inMs('LayoutDuration') + inMs('RecalcStyleDuration'),
  }
}
