import { Swiper, SwiperSlide } from 'swiper/react';
import { flavors } from '../data/flavors';

export function FeaturesSection() {
  return (
    <section className="section" id="flavors">
      <h2>Our flavors</h2>
      <Swiper slidesPerView={3}>
        {flavors.map((flavor) => (
          <SwiperSlide key={flavor.name}>
            <h3>{flavor.name}</h3>
            <p>{flavor.taste}</p>
          </SwiperSlide>
        ))}
      </Swiper>
    </section>
  );
}
