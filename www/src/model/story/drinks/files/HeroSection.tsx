export function HeroSection() {
  return (
    <section className="hero" id="top">
      <p className="eyebrow">VIBRANT ENERGY</p>
      <h1>Awake when it matters</h1>
      <p className="lead">Caffeine from green tea, fruit you can name, and nothing that shouts. One can holds you for four hours, and lets you go.</p>
      <a className="button" href="#flavors">See the flavors</a>
    </section>
  );
}
