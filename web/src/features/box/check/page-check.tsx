import { createContext, type ReactNode, useContext } from 'react'
import type { ShownPage } from './page-match.ts'
import { type Check, useCheck } from './use-check.ts'

const PageCheck = createContext<Check>({
  shop: { phase: 'waiting' },
  file: null,
  checkShop: () => undefined,
  checkFile: () => undefined,
})

type Props = { page: ShownPage; contract: string | null; children: ReactNode }

/** Checks what the page shows. Around the page: only what reads the check is drawn again with each step of it. */
export function PageCheckProvider({ page, contract, children }: Props) {
  return <PageCheck value={useCheck(page, contract)}>{children}</PageCheck>
}

/** The check of the page that this stands on. */
export const usePageCheck = (): Check => useContext(PageCheck)
