export function HeroSection() {
  return (
    <section className="hero" id="top">
      <p className="eyebrow">VIBRANT ENERGY</p>
      <h1>UNLEASH THE BEAST INSIDE</h1>
      <p className="lead">Insane power. Extreme taste. Zero limits. Grab a can and go totally wild!</p>
      <a className="button" href="#flavors">Get wild</a>
    </section>
  );
}
