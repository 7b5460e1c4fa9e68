import type { Deps } from '#server/deps.ts'

/** What account actions need of the world. */
export type AccountDeps = Pick<Deps, 'config' | 'db' | 'log' | 'now' | 'secrets' | 'passwords'> & {
  /** What the shop is called, in mails and authenticator apps. */
  siteFile: Pick<Deps['siteFile'], 'name'>
}
