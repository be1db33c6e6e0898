export default (
  <App name="Reading Club" description="Books, dates and members">
    <Theme mood="calm" seed={12} />
    <Screen name="Home" layout="stack">
      <Nav gumdrop="sidebar-nav"><NavItem icon="home" label="Home" to="/" /></Nav>
      {/* TASK-2 [ADD]: 3 new dates */}
      <Section gumdrop="data-table" source="dates"><Column field="day" sortable /></Section>
    </Screen>
    <Data><Schema name="dates" fields={["day"]} /></Data>
  </App>
);
