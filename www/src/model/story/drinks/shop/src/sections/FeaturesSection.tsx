import { flavors } from '../data/flavors';

export function FeaturesSection() {
  return (
    <section className="section" id="flavors">
      <h2>Our flavors</h2>
      <ul className="flavors">
        {flavors.map((flavor) => (
          <li className={`flavor ${flavor.when}`} key={flavor.name}>
            <h3>{flavor.name}</h3>
            <p>{flavor.taste}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
