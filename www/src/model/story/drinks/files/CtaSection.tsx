export function CtaSection() {
  return (
    <section className="cta" id="order">
      <h2>A case at your door on Friday</h2>
      <p>Twelve cans, any mix. Change it or stop whenever you like.</p>
      <a className="button" href="mailto:orders@example.com">Order a case</a>
    </section>
  );
}
