export function CtaSection() {
  return (
    <section className="cta" id="order">
      <h2>DON'T BE WEAK. BE VIBRANT!</h2>
      <p>The most epic energy on the planet. Smash that button!</p>
      <a className="button" href="mailto:orders@example.com">BUY NOW!!!</a>
    </section>
  );
}
