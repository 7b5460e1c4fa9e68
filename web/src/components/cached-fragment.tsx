import { createContext, type ReactNode, useContext } from 'react'

/**
 * A mark for what the server has rendered before, `of` in this variant, which is put there afterwards; undefined when
 * it has not.
 * @param children what is rendered for the next time
 */
export type FragmentSource = (of: object, variant: string, children: ReactNode) => string | undefined

/** Around a page that is rendered on the server. */
export const FragmentSourceContext = /* @__PURE__ */ createContext<FragmentSource | null>(null)

type Props = {
  className?: string | undefined
  /** What is shown: an object that is another one whenever it changes. */
  of: object
  /** What else it depends on. */
  variant: string
  /** Depends on nothing else: here are no contexts of the page around it. */
  children: ReactNode
}

function ServerFragment({ className, of, variant, children }: Props) {
  const mark = useContext(FragmentSourceContext)?.(of, variant, children)
  if (mark === undefined) return <li className={className}>{children}</li>
  return <li className={className} dangerouslySetInnerHTML={{ __html: mark }} />
}

const BrowserFragment = ({ className, children }: Props) => <li className={className}>{children}</li>

/** A list entry whose inside the server renders once and sends many times. For the browser it is like any other. */
export const CachedFragment = import.meta.env.SSR ? ServerFragment : BrowserFragment
