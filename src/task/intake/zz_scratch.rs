#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use crate::task::*;
    #[test]
    fn scratch_predict() {
        let Ok(input) = std::env::var("INTAKE_IN") else { return };
        #[allow(clippy::disallowed_methods)]
        let text = std::fs::read_to_string(&input).unwrap();
        let mut out = String::new();
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let context: TaskContext = serde_json::from_value(row["context"].clone()).unwrap();
            let task = parse_by_rules(row["message"].as_str().unwrap(), &context);
            out += &serde_json::json!({"id": row["id"], "task": task}).to_string();
            out.push('\n');
        }
        #[allow(clippy::disallowed_methods)]
        std::fs::write(std::env::var("INTAKE_OUT").unwrap(), out).unwrap();
    }
}
#[cfg(all(test, not(target_family = "wasm")))]
mod debug {
    use super::super::*;
    #[test]
    fn scratch_debug() {
        let Ok(message) = std::env::var("INTAKE_MSG") else { return };
        let text = text::Text::new(&message);
        for s in &text.sentences {
            println!("S {:?} asks={} heads={} item={:?}", text.slice(&s.tokens), s.asks, s.heads, s.item);
            for g in segment::segments(&text, s) {
                let r = reading::read(&text, &g.tokens, s);
                println!(
                    "   {:?} {:?} -> {:?} refers={} obj={:?}",
                    g.joint,
                    text.slice(&g.tokens),
                    r.act,
                    r.refers,
                    text.norm(r.object)
                );
            }
        }
        let c = clause::clauses(&text);
        for k in &c.found {
            println!("C {:?} {:?}", k.act, text.slice(&k.range));
        }
        for k in &c.strays {
            println!("stray {:?}", text.slice(k));
        }
        println!("restarts {}", c.restarts);
    }
}
