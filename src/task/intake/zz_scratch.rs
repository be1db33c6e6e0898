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
#[cfg(all(test, not(target_family = "wasm")))]
mod timing {
    #[test]
    #[allow(clippy::disallowed_methods)]
    fn scratch_timing() {
        if std::env::var("INTAKE_TIME").is_err() {
            return;
        }
        use crate::task::*;
        let text = std::fs::read_to_string("/tmp/open.jsonl").unwrap();
        let rows: Vec<(String, TaskContext)> = text
            .lines()
            .map(|l| {
                let r: serde_json::Value = serde_json::from_str(l).unwrap();
                (r["message"].as_str().unwrap().to_owned(), serde_json::from_value(r["context"].clone()).unwrap())
            })
            .collect();
        for (m, c) in &rows {
            parse_by_rules(m, c);
        }
        let mut worst = (0.0, String::new());
        let t = std::time::Instant::now();
        for (m, c) in &rows {
            let t = std::time::Instant::now();
            parse_by_rules(m, c);
            let d = t.elapsed().as_secs_f64() * 1e3;
            if d > worst.0 {
                worst = (d, m.clone());
            }
        }
        println!(
            "mean {:.3} ms, worst {:.3} ms ({})",
            t.elapsed().as_secs_f64() * 1e3 / rows.len() as f64,
            worst.0,
            worst.1.len()
        );
        let pieces = [
            "add a card. ",
            "add a hero with a, ",
            "a, ",
            "should same ",
            "to add and add ",
            "ok ",
            "keep x. ",
            "remove the cart. add a field to the cart. ",
            "\"",
            "'a ",
            "(",
            "1) a 2) b ",
            "no cart ",
            "- a\n",
            "- a b\n",
            "!",
            "the the the ",
            "x\n\n",
            "and ",
            "when i ",
            "build me an app with a, b and c. ",
            "text: a\n",
            "error: x\nat a (b:1:2)\n",
            "```\n",
            "“",
            "more for ",
            "🙂",
            "add 2 of the 3 x to the y in z, ",
            "some of ",
            "a b c d ",
        ];
        let context = TaskContext {
            plan_exists: true,
            file_list: (0..1000).map(|i| format!("src/a{i}/HeroSection{i}.tsx")).collect(),
            last_summary: "a grid with 8 cards".repeat(100),
            ..TaskContext::default()
        };
        for p in pieces {
            for c in [&context, &TaskContext::default()] {
                let m = p.repeat(100_000 / p.len());
                let t = std::time::Instant::now();
                let r = parse_by_rules(&m, c);
                let d = t.elapsed().as_secs_f64() * 1e3;
                if d > 200.0 {
                    println!("{:?} {:.0} ms reqs {}", p, d, r.requirements.len());
                }
            }
        }
    }
}
