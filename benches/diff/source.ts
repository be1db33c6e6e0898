/** A realistic page of about this many lines: sections with state, lists, forms and types. */
export function page(lines: number): string {
  const sections: string[] = [];
  let written = 0;
  while (written < lines - 12) {
    const section = SECTION.replaceAll('NAME', `Part${sections.length}`);
    sections.push(section);
    written += section.split('\n').length;
  }
  const names = sections.map((_, at) => `      <Part${at} title="Part ${at}" onSend={(email) => console.log(email)} />`);
  const shown = names.slice(0, 6).join('\n');
  return `${HEAD}${sections.join('\n')}\nexport default function App() {\n  return (\n    <main>\n      <HeroSection />\n${shown}\n    </main>\n  );\n}\n`;
}

const HEAD = `import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { Button, Card, Input } from '@/components/ui';

const HeroSection = () => <section id="hero"><h1>Tea</h1><Input name="email" /></section>;
`;

const SECTION = `interface NAMEItem {
  id: string;
  label: string;
  price?: number;
  tags: Array<'new' | 'sale'>;
}

const NAMEItems: NAMEItem[] = [
  { id: 'a', label: 'Leaves', price: 4.5, tags: ['new'] },
  { id: 'b', label: 'Cups', price: 12, tags: [] },
  { id: 'c', label: 'Pots', tags: ['new', 'sale'] },
];

function useNAME(query: string): { items: NAMEItem[]; total: number } {
  const [items, setItems] = useState<NAMEItem[]>(NAMEItems);
  useEffect(() => {
    const controller = new AbortController();
    fetch(\`/api/items?query=\${encodeURIComponent(query)}\`, { signal: controller.signal })
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(\`\${response.status}\`))))
      .then((found: NAMEItem[]) => setItems(found.filter((item) => item.label.includes(query))))
      .catch((error) => console.error('NAME', error));
    return () => controller.abort();
  }, [query]);
  const total = useMemo(() => items.reduce((sum, item) => sum + (item.price ?? 0), 0), [items]);
  return { items, total };
}

/* What a visitor sees of it. */
export function NAME({ title, children, onSend }: { title: string; children?: ReactNode; onSend: (email: string) => void }) {
  const [query, setQuery] = useState('');
  const [email, setEmail] = useState('');
  const { items, total } = useNAME(query);
  if (items.length === 0) {
    return <p className="text-muted-foreground">Nothing found for {query}.</p>;
  }
  return (
    <section className="mx-auto max-w-5xl px-6 py-24" aria-label={title}>
      <h2 className="text-3xl font-semibold tracking-tight">{title}</h2>
      <Input value={query} placeholder="Search" onChange={(event) => setQuery(event.target.value.trim())} />
      <ul className="mt-8 grid gap-4 md:grid-cols-3">
        {items.map(({ id, label, price, tags }, at) => (
          <li key={id} className={at % 2 === 0 ? 'bg-card' : 'bg-muted'}>
            <Card>
              <h3>{label}</h3>
              {price !== undefined && <span>{price.toFixed(2)} €</span>}
              {tags.includes('sale') ? <em>Sale</em> : null}
            </Card>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (/^[^@]+@[^@]+$/.test(email)) onSend(email);
        }}
      >
        <Input name="email" type="email" value={email} onChange={({ target }) => setEmail(target.value)} required />
        <Button type="submit" disabled={email === '' || total < 1}>
          Send for {total.toFixed(2)}
        </Button>
      </form>
      {children}
    </section>
  );
}
`;
