//! Sources that make the parser recurse too deep are refused. Ordinary code passes. What passes fits on the stack.

use super::{Excess, MAX_BYTES, MAX_ELEMENTS, MAX_LEVELS};
use crate::js::{document, outline, tree};

fn check(source: &str) -> Result<(), Excess> {
    super::check(source, true).map_err(|(excess, _)| excess)
}

/// Prefix, opening, innermost text, closing, suffix.
type Shape = (&'static str, &'static str, &'static str, &'static str, &'static str);

fn shaped((before, open, inside, close, after): Shape, levels: usize) -> String {
    [before, &open.repeat(levels), inside, &close.repeat(levels), after].concat()
}

/// Constructs that make the parser recurse.
const NESTING: &[Shape] = &[
    ("x=", "(", "1", ")", ""),
    ("x=", "[", "", "]", ""),
    ("x=", "{a:", "1", "}", ""),
    ("x=", "({a:", "1", "})", ""),
    ("x=", "{[", "1", "]:1}", ""),
    ("x=", "{...", "a", "}", ""),
    ("", "{", "", "}", ""),
    ("", "function f(){", "", "}", ""),
    ("x=", "function(){return ", "1", "}", ""),
    ("x=", "()=>{return ", "1", "}", ""),
    ("x=", "(a=", "1", ")=>1", ""),
    ("x=", "function(a=", "1", "){}", ""),
    ("x=", "class{a=", "1", "}", ""),
    ("x=", "class{[", "1", "]=1}", ""),
    ("x=", "class{a(){return ", "1", "}}", ""),
    ("x=", "{get a(){return ", "1", "}}", ""),
    ("x=", "`${", "1", "}`", ""),
    ("x=", "f(", "1", ")", ""),
    ("x=", "f?.(", "1", ")", ""),
    ("x=", "f(...", "a", ")", ""),
    ("x=", "f[", "1", "]", ""),
    ("x=", "f({a:", "1", "})", ""),
    ("x=", "new f(", "1", ")", ""),
    ("x=", "import(", "1", ")", ""),
    ("x=", "(1,", "1", ")", ""),
    ("x=", "@(", "a", ")class{}", ""),
    ("let ", "[", "a", "]", "=1"),
    ("let ", "{a:", "a", "}", "=1"),
    ("", "switch(a){case 1:", "", "}", ""),
    ("", "try{", "", "}catch{}", ""),
    ("x=", "(()=>{enum A{b=", "1", "}})()", ""),
    // Elements.
    ("x=", "<A>", "", "</A>", ""),
    ("x=", "<>", "", "</>", ""),
    ("x=", "<A>{", "1", "}</A>", ""),
    ("x=", "<A b=", "\"\"", "/>", ""),
    ("x=", "<A b={", "1", "}/>", ""),
    ("x=", "<A {...", "1", "}/>", ""),
    ("x=", "<A.B c='>'>", "", "</A.B>", ""),
    ("x=", "<A // >\n>", "", "</A /* > */>", ""),
    ("x=", "<A\n<!-- '\n>", "", "</A>", ""),
    // Prefix operators.
    ("x=", "!", "1", "", ""),
    ("x=", "- ", "1", "", ""),
    ("x=", "-+", "1", "", ""),
    ("x=", "~", "1", "", ""),
    ("x=", "-\u{A0}", "1", "", ""),
    ("x=", "typeof ", "1", "", ""),
    ("x=", "typeof\u{A0}", "1", "", ""),
    ("x=", "typeof\u{200B}", "1", "", ""),
    ("x=", "typeof/**/", "1", "", ""),
    ("x=", "void\n", "1", "", ""),
    ("x=", "delete ", "a", "", ""),
    ("x=", "await ", "1", "", ""),
    ("x=", "await\n", "1", "", ""),
    ("x=", "new ", "a", "", ""),
    ("x=", "++", "a", "", ""),
    ("function*f(){", "yield ", "1", "", "}"),
    // Right-associative operators.
    ("x=", "a?b:", "1", "", ""),
    ("x=", "a?", "1", ":1", ""),
    ("", "a=", "1", "", ""),
    ("", "a??=", "1", "", ""),
    ("", "a\n=\n", "1", "", ""),
    ("x=", "a=>", "1", "", ""),
    ("x=", "async a=>", "1", "", ""),
    ("x=", "a**", "1", "", ""),
    ("", "class a extends ", "a", "{}", ""),
    ("", "class\na\nextends\n", "a", "{}", ""),
    // Statements with a body.
    ("", "if(a)", ";", "", ""),
    ("", "if(a)\n", ";", "", ""),
    ("", "if(a);else ", ";", "", ""),
    ("", "if(a){}else ", ";", "", ""),
    ("", "if(a)b\nelse ", ";", "", ""),
    ("", "if(a)b,c;else ", ";", "", ""),
    ("", "if(a)try{}catch{}finally{}else ", ";", "", ""),
    ("", "if(a)do x;while(1);else ", ";", "", ""),
    ("", "if(a)for(;;);else ", ";", "", ""),
    ("", "if(a)@b\n@c()\nclass A{}else ", ";", "", ""),
    ("", "if(a)l:b;else ", ";", "", ""),
    ("", "for(;;)", ";", "", ""),
    ("", "while(1)", ";", "", ""),
    ("", "do while(1)", ";", "while(1);", ""),
    ("", "with(a)", ";", "", ""),
    ("", "do ", ";", "while(1);", ""),
    ("", "a:", ";", "", ""),
    ("", "a:\n", ";", "", ""),
    // Types.
    ("type X=", "(", "a", ")", ""),
    ("type X=", "{a:", "1", "}", ""),
    ("type X=", "[", "1", "]", ""),
    ("type X=", "[...", "a", "]", ""),
    ("type X=", "A<", "1", ">", ""),
    ("type X=", "A<1,", "1", ">", ""),
    ("type X=", "typeof a<", "1", ">", ""),
    ("type X=", "import('a').b<", "a", ">", ""),
    ("type X=", "()=>", "1", "", ""),
    ("type X=", "new()=>", "1", "", ""),
    ("type X=", "abstract\nnew()=>", "1", "", ""),
    ("type X=", "(a:", "1", ")=>1", ""),
    ("type X=", "a extends b?c:", "1", "", ""),
    ("type X=", "a extends b?", "c", ":d", ""),
    ("type X=", "keyof ", "a", "", ""),
    ("type X=", "keyof\n", "a", "", ""),
    ("type X=", "unique ", "a", "", ""),
    ("type X=", "readonly ", "a", "", ""),
    ("type X=a extends ", "infer a extends ", "b", "", "?1:2"),
    ("type X=", "`${", "a", "}`", ""),
    ("type X=", "{[a in b]:", "c", "}", ""),
    ("type X=", "<a extends ", "a", ">()=>1", ""),
    ("type X=", "<a=", "a", ">()=>1", ""),
    ("function f(a):", "asserts a is ", "b", "{}", ""),
    ("x=", "a<", "1", "", ""),
    ("x=", "a<b,c<", "1", "", ""),
    ("x=", "<T,>(a=", "1", ")=>1", ""),
    ("x=", "():()=>", "a", "=>1", ""),
    ("namespace ", "a.", "a", "", "{}"),
    ("class A implements ", "B<", "a", ">", "{}"),
    // Sources that hide nesting from a lexer that misreads one token.
    ("x=1\n<!-- `\n", "(", "1", ")", ""),
    ("<!-- `\n", "(", "1", ")", ""),
    ("x=<A>\n<!-- ' -->\n", "{[", "1", "]}", "</A>"),
    ("if(a)/`/;x=", "(", "1", ")", ""),
    ("for await(a of /`/)x=", "(", "1", ")", ""),
    ("x={a:/`/};x=", "(", "1", ")", ""),
    ("x=a.if(b)/1;c=`/`;x=", "(", "1", ")", ""),
    ("x={if:(1)/'/'};y=", "(", "1", ")", ""),
    ("x='\\\r\n`';y=", "(", "1", ")", ""),
    ("// `\u{2028}x=", "(", "1", ")", ""),
    ("#!`\nx=", "(", "1", ")", ""),
    ("x=`\\``;y=", "(", "1", ")", ""),
    ("type X=<T>", "(a:", "1", ")=>1", ""),
    ("type X=<T>", "(a:", "1", ")=>1", "</T>"),
    ("type X=<>", "(a:", "1", ")=>1", ""),
    ("type X=new <T>", "(a:", "1", ")=>1", "</ T>"),
    ("type X=<const T>", "(a:", "1", ")=>1", "</const>"),
    ("x={}<b>", "!", "1", "", "</b>"),
    ("x=a as <T>", "(a:", "1", ")=>1", "</T>"),
    ("for(x=of<b;;", "(", "1", ")", ")"),
];

#[test]
fn deep_nesting_is_refused_and_shallow_nesting_passes() {
    for shape in NESTING {
        let source = shaped(*shape, 3000);
        assert!(check(&source).is_err(), "{}…", &source[..60]);
        let source = shaped(*shape, 20);
        assert_eq!(check(&source), Ok(()), "{source}");
    }
}

/// Constructs that the parser reads in a loop but that deepen the tree.
const CHAINS: &[Shape] = &[
    ("x=a", "-a", "", "", ""),
    ("x=a", "&&!a", "", "", ""),
    ("x=a", "??a", "", "", ""),
    ("x=a", "||a<=b", "", "", ""),
    ("x=a", ".a", "", "", ""),
    ("x=a", "?.a", "", "", ""),
    ("x=a", "()", "", "", ""),
    ("x=a", "!", "", "", ""),
    ("x=a", " as a", "", "", ""),
    ("x=a", "``", "", "", ""),
    ("type X=a", "|'a'", "", "", ""),
    ("type X=a", "[]", "", "", ""),
    ("x=a", "+a", "", "", ""),
    ("x=a", "\n+a", "", "", ""),
    ("x=a", "?.[0]", "", "", ""),
    ("x=a", " in a", "", "", ""),
    ("x=a", "*(b)", "", "", ""),
    ("", "a", "", "\n.b()", ""),
];

#[test]
fn long_chains_are_refused_and_short_ones_pass() {
    for shape in CHAINS {
        let source = shaped(*shape, 3000);
        assert_eq!(check(&source), Err(Excess::Levels), "{}…", &source[..40]);
        let source = shaped(*shape, 100);
        assert_eq!(check(&source), Ok(()), "{source}");
    }
}

/// Constructs that stay flat, however often they repeat.
const FLAT: &[Shape] = &[
    ("x=[", "1,", "", "", "]"),
    ("x={", "a:b?c:d,", "", "", "}"),
    ("x=[", "a=>a,", "", "", "]"),
    ("x=[", "a<b>c,", "", "", "]"),
    ("x=[", "f<Map<A,B<C>>>(d),", "", "", "]"),
    ("x=[", "a<<1,", "", "", "]"),
    ("", "x=1;", "", "", ""),
    ("", "x=1\n", "", "", ""),
    ("", "const x=a?b:c\n", "", "", ""),
    ("", "if(a)b\n", "", "", ""),
    ("", "if(a){}", "", "", ""),
    ("", "if(a){}else{}\n", "", "", ""),
    ("", "for(const a of b){}\n", "", "", ""),
    ("", "export const f=async(a)=>{await b}\n", "", "", ""),
    ("", "!a\n", "", "", ""),
    ("", "yield a\n", "", "", ""),
    ("", "delete a.b\n", "", "", ""),
    ("", "i++\n", "", "", ""),
    ("", "for(let i=0;i<n;i++){}\n", "", "", ""),
    ("", "module.exports.a.b=c\n", "", "", ""),
    ("switch(a){", "case 1:\n", "", "", "}"),
    ("interface A{", "a?:B<C>\n", "", "", "}"),
    ("interface A{", "<T>(a:T):T;\n", "", "", "}"),
    ("class A{", "readonly a:b=c\n", "", "", "}"),
    ("type X=[", "a extends b?c:d,", "", "", "]"),
    ("x='", "(", "", "", "'"),
    ("x=`", "(", "", "", "`"),
    ("x=/[", "(", "", "", "/]/"),
    ("// ", "(", "", "", ""),
    ("/* ", "(", "", "", "*/"),
    ("x=<A b>", "(", "", "", "</A>"),
    ("x=<A>", "don't ", "", "", "</A>"),
    ("x=<A>", "<B/>", "", "", "</A>"),
    ("x=<A>", "<B c='\"' d={e}>({'f'})</B>", "", "", "</A>"),
    ("x=<A>", "<B<C<D>>/>", "", "", "</A>"),
    ("x=<A b='", "(", "", "", "'/>"),
    ("x=<A>{/*", "(", "", "", "*/}</A>"),
    ("x=<A ", "b c='d' e={f}\n", "", "", "/>"),
    ("x=[", "<A/>,", "", "", "]"),
    ("", "x=<A>a</A>\n", "", "", ""),
];

#[test]
fn flat_code_passes() {
    for shape in FLAT {
        let source = shaped(*shape, 3000);
        assert_eq!(check(&source), Ok(()), "{}…", &source[..40]);
    }
}

/// Constructs for which the parser backtracks; the cost doubles with each level.
const GUESSES: &[Shape] = &[
    ("type T=", "({a=(x:", "1", ")=>1})=>1", ""),
    ("type T=", "([a=(x:", "1", ")=>1])=>1", ""),
    ("type T=", "(readonly {a=(x:", "1", ")=>1})=>1", ""),
    ("type T=", "({[(x:", "1", ")=>1]:a})=>1", ""),
    ("type T=a extends ", "(infer a extends ", "b", "?1:2)", "?1:2"),
    ("type T=a extends ", "[infer a extends ", "b", "?1:2]", "?1:2"),
    ("x=", "f<({a=", "1", "})=>1>()", ""),
    ("x=", "<T extends ({a=", "1", "})=>1>(b)=>1", ""),
    ("x=", "a?(b):({c=", "c", "})=>1=>1:1", ""),
    ("class A extends ", "B<({a=class extends ", "C", "{}})=>1>", "{}"),
    ("let x:typeof a", "<({a=b", "", "})=>1>", ""),
    ("x=", "(a as ({b=", "1", "})=>1)", ""),
    ("x=", "<A<({a=", "<A/>", "})=>1>/>", ""),
];

#[test]
fn repeated_backtracking_is_refused() {
    for shape in GUESSES {
        let source = shaped(*shape, 40);
        assert!(check(&source).is_err(), "{source}");
        let source = shaped(*shape, 3);
        assert_eq!(check(&source), Ok(()), "{source}");
    }
    let comparisons = "x=a<b<c<d<e<f<g<h<i<j<k<l<m<n<o<p<q<r<s<t<u<v<w<x<y<z;".repeat(9000);
    assert_eq!(check(&comparisons), Err(Excess::Reads));
}

#[test]
fn each_limit_is_exact() {
    let elements = |levels| shaped(("export default ", "<A>", "", "</A>", ""), levels);
    assert_eq!(check(&elements(MAX_LEVELS as usize)), Ok(()));
    assert_eq!(check(&elements(MAX_LEVELS as usize + 1)), Err(Excess::Levels));
    let arrays = |levels| shaped(("", "[", "", "]", ""), levels);
    assert_eq!(check(&arrays(MAX_LEVELS as usize)), Ok(()));
    assert_eq!(check(&arrays(MAX_LEVELS as usize + 1)), Err(Excess::Levels));
    let siblings = |count| shaped(("export default <A>", "<B/>", "", "", "</A>"), count);
    assert_eq!(check(&siblings(MAX_ELEMENTS as usize - 1)), Ok(()));
    assert_eq!(check(&siblings(MAX_ELEMENTS as usize)), Err(Excess::Elements));
    assert_eq!(check(&" ".repeat(MAX_BYTES)), Ok(()));
    assert_eq!(check(&" ".repeat(MAX_BYTES + 1)), Err(Excess::Bytes));
    // Elements and code are counted separately.
    let levels = MAX_LEVELS as usize;
    assert_eq!(check(&shaped(("x=", "<A b={[", "", "]}/>", ""), levels / 2 - 1)), Ok(()));
    let inside = shaped(("", "[", "", "]", ""), levels - 2);
    let source = shaped(("x=", "<A>", "", "</A>", ""), levels).replacen("</A>", &format!("{{{inside}}}</A>"), 1);
    assert_eq!(check(&source), Ok(()));
}

#[test]
fn ambiguous_nesting_is_refused() {
    for source in [
        "x={}/'/;y='/'",
        "a<b>/`/;c=`/`",
        &format!("x={{}}<b>{}</b>", "a ".repeat(300)),
        &format!("type X=<T>({})=>1;x=<T></T>", "a:b,".repeat(300)),
    ] {
        assert_eq!(check(source), Err(Excess::Reads), "{source}");
    }
}

#[test]
fn resetting_a_count_keeps_the_open_frames() {
    for (around, open) in [
        ("", "a=>".repeat(100) + "A<1,"),
        ("", "for(;;)".to_owned()),
        ("", "if(a);else ".to_owned()),
        ("", "if(a)if(b){}else ".to_owned()),
        ("", "if(a)do x;while(1);else ".to_owned()),
        ("type X=", "()=>".repeat(100) + "A<1,"),
        ("x=", "(1,".to_owned()),
        ("x=", "a?b&&c:d||".to_owned()),
    ] {
        let source = around.to_owned() + &open.repeat(1000);
        assert!(check(&source).is_err(), "{open}");
    }
}

/// The deepest accepted source of a shape.
fn deepest(shape: impl Fn(usize) -> String) -> String {
    let (mut deep, mut too_deep) = (0, 4000);
    while too_deep - deep > 1 {
        let levels = (deep + too_deep) / 2;
        if check(&shape(levels)).is_ok() { deep = levels } else { too_deep = levels }
    }
    shape(deep)
}

/// Runs on a stack the size of a wasm module's. Frames of unoptimised builds are many times larger.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    let size = if cfg!(debug_assertions) { 32 << 20 } else { 1 << 20 };
    let thread = std::thread::Builder::new().stack_size(size).spawn(test).unwrap();
    assert!(thread.join().is_ok());
}

/// Reads the source with every reader.
fn read_by_all(source: &str) {
    let _ = document::read(source, |_| Some(()));
    let _ = outline::read("a.tsx", source, true);
    let _ = tree::parse("a.tsx", source);
}

#[test]
fn accepted_sources_fit_the_stack() {
    with_stack(|| {
        let elements = |inner: &str| ["x=", &"<A>".repeat(255), "<A b={", inner, "}/>", &"</A>".repeat(255)].concat();
        for shape in NESTING.iter().chain(CHAINS) {
            read_by_all(&deepest(|levels| shaped(*shape, levels)));
            let value = |levels| {
                let value = shaped(*shape, levels);
                value.strip_prefix("x=").map(elements).unwrap_or(value)
            };
            read_by_all(&deepest(value));
        }
        // A long chain in the deepest nesting.
        for outer in NESTING {
            for inner in CHAINS.iter().step_by(6) {
                let chain = inner.0.trim_start_matches("x=").to_owned() + &inner.1.repeat(400);
                let nested =
                    |levels| [outer.0, &outer.1.repeat(levels), &chain, &outer.3.repeat(levels), outer.4].concat();
                read_by_all(&deepest(nested));
            }
        }
    });
}
