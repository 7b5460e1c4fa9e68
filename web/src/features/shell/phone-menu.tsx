import { Icon } from '#web/components/icon.tsx'
import { useSignInPath } from '#web/features/account/use-next.ts'
import { useViewer } from '#web/root-data.ts'
import { CategoryMenuLinks } from './category-links.tsx'
import { Dropdown } from './dropdown.tsx'
import { Logout } from './logout.tsx'
import { aboutLinks, accountLinks, checkLink, MenuLink, MenuLinks, manageLinks } from './menu-links.tsx'
import { SearchForm } from './search-form.tsx'

const heading = 'px-4 pt-4 pb-1 font-semibold text-slate text-sm'

function AccountPart() {
  const viewer = useViewer()
  const signIn = useSignInPath()
  if (!viewer) return <MenuLink to={signIn}>Log in</MenuLink>
  return (
    <ul>
      <MenuLinks links={accountLinks} />
      <li>
        <Logout />
      </li>
    </ul>
  )
}

/** Everything of the navigation bar that a narrow screen has no room for: at the desk the search of the market, too. */
export function PhoneMenu({ isDesk }: { isDesk: boolean }) {
  const viewer = useViewer()
  return (
    <Dropdown
      label={<Icon name="menu" />}
      name="Menu"
      arrow={false}
      className="static! lg:hidden"
      panelClass="inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto pb-4"
    >
      {isDesk && (
        <div className="p-4 pb-0">
          <SearchForm />
        </div>
      )}
      <ul className="pt-2">
        <li>
          <MenuLink to="/">Home</MenuLink>
        </li>
        <li>
          <MenuLink to={checkLink}>Check a box</MenuLink>
        </li>
        <CategoryMenuLinks />
        <li>
          <MenuLink to="/product">All products</MenuLink>
        </li>
      </ul>
      <h2 className={heading}>About</h2>
      <ul>
        <MenuLinks links={aboutLinks} />
      </ul>
      {viewer?.role === 'ADMIN' && (
        <>
          <h2 className={heading}>Manage</h2>
          <ul>
            <MenuLinks links={manageLinks} />
          </ul>
        </>
      )}
      <h2 className={heading}>{viewer ? viewer.fname : 'Account'}</h2>
      <AccountPart />
    </Dropdown>
  )
}
