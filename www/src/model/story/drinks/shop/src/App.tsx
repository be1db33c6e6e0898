import { MoodToggle } from './components/MoodToggle';
import { CtaSection } from './sections/CtaSection';
import { FaqSection } from './sections/FaqSection';
import { FeaturesSection } from './sections/FeaturesSection';
import { HeroSection } from './sections/HeroSection';
import './page.css';

export default function App() {
  return (
    <main>
      <MoodToggle />
      <HeroSection />
      <FeaturesSection />
      <FaqSection />
      <CtaSection />
    </main>
  );
}
