import type { ComponentChildren } from 'preact';
import { cleanForeign } from '../core/text/foreign.js';
import { Layout, Scripts, type ScriptName } from '../pages/index.js';
import { FormToken } from './components/form_token.js';
import type { Framing } from './page.js';
import { PREFIX } from './routes.js';

/** The sections of the dashboard, in the order of the navigation. */
const SECTIONS = [
  { name: 'Today', path: PREFIX },
  { name: 'Listings', path: `${PREFIX}/listings` },
  { name: 'Orders', path: `${PREFIX}/orders` },
  { name: 'Shops', path: `${PREFIX}/shops` },
  { name: 'Changes', path: `${PREFIX}/changes` },
  { name: 'Settings', path: `${PREFIX}/settings` },
] as const;
/** The pages of the section Settings. */
export const SETTINGS = [
  { name: 'Webhooks', path: `${PREFIX}/webhooks` },
  { name: 'API keys and assistants', path: `${PREFIX}/access` },
  { name: 'Uploads', path: `${PREFIX}/uploads` },
] as const;
type SettingsPage = (typeof SETTINGS)[number]['name'];
export type Section = (typeof SECTIONS)[number]['name'] | SettingsPage;

type DashboardProps = {
  visit: Framing;
  /** The title, which may contain text from the marketplace. */
  title: string;
  /** The section that the page belongs to. */
  section?: Section;
  children: ComponentChildren;
  /** Names of the scripts that improve the page; it works without them. */
  scripts?: readonly ScriptName[];
  head?: ComponentChildren;
  width?: 'wide' | 'narrow';
};

export function Dashboard({ visit, title, section, children, scripts = [], head, width }: DashboardProps) {
  return (
    <Layout
      title={cleanForeign(title)}
      width={width ?? 'wide'}
      home_href={PREFIX}
      part="dashboard"
      is_sandbox={visit.is_sandbox}
      header={<Navigation visit={visit} section={section} />}
      head={
        <>
          {head}
          <Scripts names={['times', ...scripts]} />
        </>
      }
    >
      {SETTINGS.some(({ name }) => name === section) && <SettingsNavigation section={section} />}
      {children}
    </Layout>
  );
}

function Navigation({ visit, section }: Pick<DashboardProps, 'visit' | 'section'>) {
  const isSetting = SETTINGS.some(({ name }) => name === section);
  const current = isSetting ? 'Settings' : section;
  return (
    <>
      <nav class="nav" aria-label="Dashboard">
        {SECTIONS.map(({ name, path }) => (
          <a
            href={path}
            aria-current={name === current ? (isSetting ? 'true' : 'page') : undefined}
            key={name}
          >
            {name}
          </a>
        ))}
      </nav>
      <form method="post" action={`${PREFIX}/sign-out`}>
        <FormToken visit={visit} />
        <button type="submit" class="plain">
          Sign out
        </button>
      </form>
    </>
  );
}

function SettingsNavigation({ section }: Pick<DashboardProps, 'section'>) {
  return (
    <nav class="filter" aria-label="Settings">
      {SETTINGS.map(({ name, path }) => (
        <a href={path} aria-current={name === section ? 'page' : undefined} key={name}>
          {name}
        </a>
      ))}
    </nav>
  );
}
