import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { DirtyGuard } from '#web/forms/dirty-guard.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'

const screens = [
  ['/manage', 'Today'],
  ['/manage/user', 'Users'],
  ['/manage/category', 'Categories'],
  ['/manage/product', 'Products'],
  ['/manage/box', 'Boxes'],
  ['/manage/mail', 'Mail'],
  ['/manage/key', 'Keys'],
] as const

type Props = { title: string; children: ReactNode; help?: boolean }

/** What is around every screen of managers: the way to the others, and the guard of what is not saved. */
export function ManageFrame({ title, children, help = true }: Props) {
  return (
    <DirtyGuard>
      <div className="wrap pt-6 pb-16">
        <nav aria-label="Managing" className="-mx-2 mb-6 flex flex-wrap border-line border-b">
          {screens.map(([to, words]) => (
            <NavLink
              key={to}
              to={to}
              end={to === '/manage'}
              className="-mb-px flex min-h-11 items-center border-transparent border-b-2 px-2 font-semibold sm:px-3 text-slate hover:text-teal aria-[current=page]:border-teal aria-[current=page]:text-teal"
            >
              {words}
            </NavLink>
          ))}
        </nav>
        <div className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
          <h1 className="text-3xl sm:text-4xl">{title}</h1>
          {help && <KeyboardHelp />}
        </div>
        {children}
      </div>
    </DirtyGuard>
  )
}
