<App>
  <Section gumdrop="hero"><Text>{`x`}</Text>
  {/* NO CHANGES */}
  </Section></App>
<<<