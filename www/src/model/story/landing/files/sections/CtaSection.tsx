import { useState } from 'react';

export function CtaSection() {
  const [bags, setBags] = useState(1);
  return (
    <section className="cta" id="order">
      <h2>Your first bag is on its way</h2>
      <p>250 g, whole beans, posted tomorrow. Send it back if it is not the best you had this year.</p>
      <div className="stepper" role="group" aria-label="Number of bags">
        <button type="button" onClick={() => setBags(Math.max(1, bags - 1))} aria-label="One bag fewer">−</button>
        <output>{bags}</output>
        <button type="button" onClick={() => setBags(bags + 1)} aria-label="One bag more">+</button>
      </div>
      <a className="button" href="#top">Order for £{bags * 11}</a>
    </section>
  );
}
