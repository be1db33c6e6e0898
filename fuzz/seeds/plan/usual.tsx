export default (
  <App name="Harbour Coffee" description="A roastery by the water, with a menu, its people and a table to book">
    <Theme mood="organic" seed={28} pattern="analogous" font="DM Sans" monoFont="JetBrains Mono" shadowProfile="subtle" radius="rounded">
      <Typography hero="text-6xl" titles="text-3xl" labels="text-sm" body="text-base" />
      <Animation hover="lift" cards="fade" pages="slide" />
      <Rule no="stock photos of laptops" />
      <Rule prefer="warm neutrals over pure white" />
    </Theme>
    <Screen name="Home" layout="stack">
      <Nav gumdrop="sidebar-nav">
        <NavItem icon="home" label="Home" to="/" />
        <NavItem icon="coffee" label="Menu" to="/menu" />
        <NavItem icon="calendar" label="Book" to="/book" />
      </Nav>
      <Section gumdrop="hero" variant="split" className="min-h-[70vh]" />
      {/* EXISTING 8 flavors PRESERVED */}
      {/* TASK-3 [ADD]: 2 nighttime flavors */}
      <Section gumdrop="grid-list" cols={3} source="flavors">
        <Gumdrop use="dialog-modal" label="Details" />
        <Slot name="badge" description="new or seasonal" />
      </Section>
      <Section gumdrop="social-proof" />
      <Section gumdrop="newsletter" />
    </Screen>
    <Screen name="Menu" layout="grid">
      <Section gumdrop="data-table" source="drinks">
        <Column field="name" sortable />
        <Column field="price" sortable format="currency" />
        <Column field="roast" filterable />
        <Action trigger="row" intent="open the drink's details" hotkey="Enter" />
      </Section>
      <Section gumdrop="faq" />
    </Screen>
    <Screen name="Book" layout="form">
      <Section gumdrop="form-layout">
        <Field name="date" type="date" required />
        <Field name="guests" type="number" range={[1, 12]} />
        <Field name="note" type="text" placeholder="A window seat?" />
      </Section>
      <Section gumdrop="footer" />
    </Screen>
    <Data>
      <Schema name="drinks" fields={["name", "price", "roast"]} />
      <Endpoint resource="drinks" pattern="readonly" />
    </Data>
  </App>
);
