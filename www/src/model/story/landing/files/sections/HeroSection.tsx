export function HeroSection() {
  return (
    <section className="hero" id="top">
      <p className="eyebrow">Small batches, every Tuesday</p>
      <h1>Coffee that tastes of where it grew</h1>
      <p className="lead">
        Driftwood roasts single-origin beans by the sea in Whitby and posts them within a day, so the bag you open is
        never older than your milk.
      </p>
      <p className="actions">
        <a className="button" href="#order">Order a bag</a>
        <a className="button quiet" href="#features">How we roast</a>
      </p>
    </section>
  );
}
