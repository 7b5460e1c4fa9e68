import { cartCount } from '@befaqt/domain/cart'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '#web/components/icon.tsx'
import { useSignInPath } from '#web/features/account/use-next.ts'
import { useCart } from '#web/features/cart/cart-store.ts'
import { useViewer } from '#web/root-data.ts'
import { aboutLinks, CategoryRow, checkLink, MenuLinks, PageLink, useManageLinks } from './menu-links.tsx'
import { AccountLinks, Dropdown, PhoneMenu } from './menus.tsx'
import { SearchForm } from './search-form.tsx'

const top = 'flex min-h-11 items-center gap-2 rounded-md px-3 font-semibold hover:bg-on-night/10'
const list = 'left-0 top-full mt-1 w-52 overflow-hidden rounded-md py-1'

function MainLinks() {
  const toDesk = useManageLinks()
  return (
    <ul className="hidden items-center lg:flex">
      <li>
        <PageLink to="/" end className={`${top} aria-[current=page]:text-lamp`}>
          Home
        </PageLink>
      </li>
      <li>
        <PageLink to={checkLink} className={`${top} aria-[current=page]:text-lamp`}>
          Check a box
        </PageLink>
      </li>
      <li>
        <Dropdown label="About" panelClass={list}>
          <ul>
            <MenuLinks links={aboutLinks} />
          </ul>
        </Dropdown>
      </li>
      {toDesk.length > 0 && (
        <li>
          <Dropdown label="Manage" panelClass={list}>
            <ul>
              <MenuLinks links={toDesk} />
            </ul>
          </Dropdown>
        </li>
      )}
    </ul>
  )
}

function AccountMenu() {
  const viewer = useViewer()
  const signIn = useSignInPath()
  if (!viewer)
    return (
      <PageLink to={signIn} className={`${top} max-sm:hidden`}>
        <Icon name="person" className="size-5" />
        Log in
      </PageLink>
    )
  return (
    <Dropdown
      label={viewer.fname}
      className="max-sm:hidden"
      panelClass="top-full right-0 mt-1 w-48 overflow-hidden rounded-md py-1"
    >
      <AccountLinks />
    </Dropdown>
  )
}

/** The navigation bar. It keeps its place of 72 px; scrolled past 100 px its picture shrinks and it moves up. */
export function Header() {
  const sentinel = useRef<HTMLSpanElement>(null)
  const compact = useScrolled(sentinel)
  return (
    <>
      <span ref={sentinel} aria-hidden="true" className="absolute top-0 h-[100px] w-px" />
      <header
        data-compact={compact || undefined}
        className="on-night group/header sticky top-0 z-30 bg-night text-on-night transition-transform duration-200 data-compact:-translate-y-4"
      >
        <nav
          aria-label="Main"
          className="wrap flex h-18 items-center gap-1 transition-transform duration-200 group-data-compact/header:translate-y-2"
        >
          <Brand />
          <div className="ml-4 max-lg:hidden">
            <MainLinks />
          </div>
          <div className="ml-auto w-64 max-lg:hidden">
            <SearchForm dark />
          </div>
          <div className="flex items-center max-lg:ml-auto lg:ml-2">
            <AccountMenu />
            <PageLink
              to="/favourites"
              aria-label="Favourites"
              className="heart grid size-11 place-items-center rounded-md hover:bg-on-night/10 aria-[current=page]:text-lamp"
            />
            <CartLink />
            <PhoneMenu />
          </div>
        </nav>
      </header>
      <div className="on-night no-print bg-night pt-1 pb-3 text-on-night lg:hidden">
        <div className="wrap">
          <SearchForm dark />
        </div>
      </div>
      <nav aria-label="Categories" className="on-night bg-night text-on-night max-lg:hidden">
        <div className="wrap border-on-night/15 border-t">
          <CategoryRow />
        </div>
      </nav>
    </>
  )
}

/** The brand's picture, 120 px wide, shrinking to the 40 px of its mark when the page is scrolled. Nothing shifts. */
function Brand() {
  return (
    <a href="/" className="relative flex min-h-11 items-center rounded-md" aria-label="BeFAQT, home">
      <img
        src="/logo-dark.svg"
        width={120}
        height={34}
        alt=""
        className="block h-[34px] w-30 origin-left transition group-data-compact/header:scale-[0.33333] group-data-compact/header:opacity-0"
      />
      <img
        src="/favicon.svg"
        width={40}
        height={40}
        alt=""
        loading="lazy"
        className="absolute top-0.5 left-0 opacity-0 transition-opacity group-data-compact/header:opacity-100"
      />
    </a>
  )
}

/** Whether the page is scrolled past `sentinel`, an element standing where the limit is. */
function useScrolled(sentinel: RefObject<HTMLElement | null>): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    if (!sentinel.current) return
    const observer = new IntersectionObserver((entries) => {
      const entry = entries.at(-1) // a busy page is told of several moves at once
      if (entry) setScrolled(!entry.isIntersecting && entry.boundingClientRect.top < 0)
    })
    observer.observe(sentinel.current)
    return () => observer.disconnect()
  }, [sentinel])
  return scrolled
}

/** The way to the cart, with the number of units in it when there are any. Source: spec §2. */
function CartLink() {
  const count = cartCount(useCart().lines)
  return (
    <PageLink
      to="/cart"
      aria-label={count > 0 ? `Cart, ${count} in it` : 'Cart'}
      className="relative grid size-11 place-items-center rounded-md hover:bg-on-night/10 aria-[current=page]:text-lamp"
    >
      <Icon name="cart" />
      {count > 0 && (
        <span className="absolute top-0 right-0 min-w-5 rounded-full bg-lamp px-1 text-center font-bold text-night-deep text-xs leading-5">
          {count > 999 ? '999+' : count}
        </span>
      )}
    </PageLink>
  )
}
