//! Characters that a file system may read as ASCII characters: one that normalises Unicode (NFKC), or that ignores
//! what HFS+ ignores.

use std::borrow::Cow;

/// The path as the least exact file system reads it: with ASCII in place of every such character. Other look-alikes (a
/// Cyrillic `і`) name other files and stay.
pub(crate) fn fold(path: &str) -> Cow<'_, str> {
    if path.is_ascii() {
        return Cow::Borrowed(path);
    }
    let mut folded = String::with_capacity(path.len());
    for c in path.chars() {
        match u32::from(c) {
            code if code < 0x80 => folded.push(c),
            code if is_ignored(code) => {}
            code => match ascii(code) {
                Some(Ascii::One(byte)) => folded.push(char::from(byte)),
                Some(Ascii::Many(text)) => folded.push_str(text),
                None => folded.push(c),
            },
        }
    }
    Cow::Owned(folded)
}

/// HFS+ compares names without these (git's `is_hfs_dotgit` lists the same).
fn is_ignored(code: u32) -> bool {
    matches!(code, 0x200c..=0x200f | 0x202a..=0x202e | 0x206a..=0x206f | 0xfeff)
}

enum Ascii {
    One(u8),
    Many(&'static str),
}

/// The NFKC form of a character where that is ASCII alone.
fn ascii(code: u32) -> Option<Ascii> {
    let one = |first: u8, offset: u32| u8::try_from(offset).ok().map(|offset| Ascii::One(first + offset));
    match code {
        0xa0 | 0x2000..=0x200a | 0x202f | 0x205f | 0x3000 => Some(Ascii::One(b' ')),
        0xff01..=0xff5e => one(b'!', code - 0xff01),
        // Mathematical alphabets, one after the other; their gaps are unassigned.
        0x1d400..=0x1d6a3 => match (code - 0x1d400) % 52 {
            letter @ 0..=25 => one(b'A', letter),
            letter => one(b'a', letter - 26),
        },
        0x1d7ce..=0x1d7ff => one(b'0', (code - 0x1d7ce) % 10),
        _ => form_in(RUNS, code).map(Ascii::Many),
    }
}

/// The form of a character in runs.
pub(super) fn form_in(runs: &'static [(u32, &'static str)], code: u32) -> Option<&'static str> {
    let after = runs.partition_point(|(start, _)| *start <= code);
    let (start, run) = runs.get(after.checked_sub(1)?)?;
    run.split(' ').nth(usize::try_from(code - start).ok()?)
}

/// Runs of neighbouring characters: the first one, and the forms of all.
#[rustfmt::skip]
const RUNS: &[(u32, &str)] = &[
    (0xaa, "a"),
    (0xb2, "2 3"),
    (0xb9, "1 o"),
    (0x132, "IJ ij"),
    (0x17f, "s"),
    (0x1c7, "LJ Lj lj NJ Nj nj"),
    (0x1f1, "DZ Dz dz"),
    (0x2b0, "h"),
    (0x2b2, "j r"),
    (0x2b7, "w y"),
    (0x2e1, "l s x"),
    (0x37e, ";"),
    (0x1d2c, "A"),
    (0x1d2e, "B"),
    (0x1d30, "D E"),
    (0x1d33, "G H I J K L M N"),
    (0x1d3c, "O"),
    (0x1d3e, "P R T U W a"),
    (0x1d47, "b d e"),
    (0x1d4d, "g"),
    (0x1d4f, "k m"),
    (0x1d52, "o"),
    (0x1d56, "p t u"),
    (0x1d5b, "v"),
    (0x1d62, "i r u v"),
    (0x1d9c, "c"),
    (0x1da0, "f"),
    (0x1dbb, "z"),
    (0x1fef, "`"),
    (0x2024, ". .. ..."),
    (0x203c, "!!"),
    (0x2047, "?? ?! !?"),
    (0x2070, "0 i"),
    (0x2074, "4 5 6 7 8 9 +"),
    (0x207c, "= ( ) n 0 1 2 3 4 5 6 7 8 9 +"),
    (0x208c, "= ( )"),
    (0x2090, "a e o x"),
    (0x2095, "h k l m n p s t w y z"),
    (0x20a8, "Rs"),
    (0x2100, "a/c a/s C"),
    (0x2105, "c/o c/u"),
    (0x210a, "g H H H h"),
    (0x2110, "I I L l"),
    (0x2115, "N No"),
    (0x2119, "P Q R R R"),
    (0x2120, "SM TEL TM"),
    (0x2124, "Z"),
    (0x2128, "Z"),
    (0x212a, "K"),
    (0x212c, "B C"),
    (0x212f, "e E F"),
    (0x2133, "M o"),
    (0x2139, "i"),
    (0x213b, "FAX"),
    (0x2145, "D d e i j"),
    (0x2160, "I II III IV V VI VII VIII IX X XI XII L C D M i ii iii iv v vi vii viii ix x xi xii l c d m"),
    (0x2460, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 (1) (2) (3) (4) (5) (6) (7) (8) (9) (10) (11)"),
    (0x247f, "(12) (13) (14) (15) (16) (17) (18) (19) (20) 1. 2. 3. 4. 5. 6. 7. 8. 9. 10. 11. 12. 13. 14. 15."),
    (0x2497, "16. 17. 18. 19. 20. (a) (b) (c) (d) (e) (f) (g) (h) (i) (j) (k) (l) (m) (n) (o) (p) (q) (r) (s)"),
    (0x24af, "(t) (u) (v) (w) (x) (y) (z) A B C D E F G H I J K L M N O P Q R S T U V W X Y Z a b c d e f g h"),
    (0x24d8, "i j k l m n o p q r s t u v w x y z 0"),
    (0x2a74, "::= == ==="),
    (0x2c7c, "j V"),
    (0x3250, "PTE 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35"),
    (0x32b1, "36 37 38 39 40 41 42 43 44 45 46 47 48 49 50"),
    (0x32cc, "Hg erg eV LTD"),
    (0x3371, "hPa da AU bar oV pc dm dm2 dm3 IU"),
    (0x3380, "pA nA"),
    (0x3383, "mA kA KB MB GB cal kcal pF nF"),
    (0x338e, "mg kg Hz kHz MHz GHz THz"),
    (0x3396, "ml dl kl fm nm"),
    (0x339c, "mm cm km mm2 cm2 m2 km2 mm3 cm3 m3 km3"),
    (0x33a9, "Pa kPa MPa GPa rad"),
    (0x33b0, "ps ns"),
    (0x33b3, "ms pV nV"),
    (0x33b7, "mV kV MV pW nW"),
    (0x33bd, "mW kW MW"),
    (0x33c2, "a.m. Bq cc cd"),
    (0x33c7, "Co. dB Gy ha HP in KK KM kt lm ln log lx mb mil mol PH p.m. PPM PR sr Sv Wb"),
    (0x33ff, "gal"),
    (0xa7f1, "S C F Q"),
    (0xfb00, "ff fi fl ffi ffl st st"),
    (0xfb29, "+"),
    (0xfe10, ","),
    (0xfe13, ": ; ! ?"),
    (0xfe19, "..."),
    (0xfe30, ".."),
    (0xfe33, "_ _ ( ) { }"),
    (0xfe47, "[ ]"),
    (0xfe4d, "_ _ _ ,"),
    (0xfe52, "."),
    (0xfe54, "; : ? !"),
    (0xfe59, "( ) { }"),
    (0xfe5f, "# & * + - < > ="),
    (0xfe68, "\\ $ % @"),
    (0x107a5, "q"),
    (0x1ccd6, "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z 0 1 2 3 4 5 6 7 8 9"),
    (0x1f100, "0. 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,"),
    (0x1f110, "(A) (B) (C) (D) (E) (F) (G) (H) (I) (J) (K) (L) (M) (N) (O) (P) (Q) (R) (S) (T) (U) (V) (W) (X)"),
    (0x1f128, "(Y) (Z)"),
    (0x1f12b, "C R CD WZ"),
    (0x1f130, "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z HV MV SD SS PPV WC"),
    (0x1f16a, "MC MD MR"),
    (0x1f190, "DJ"),
    (0x1fbf0, "0 1 2 3 4 5 6 7 8 9"),
];

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::fold;
    use unicode_normalization::UnicodeNormalization;

    #[test]
    fn every_character_with_an_ascii_nfkc_form_folds_to_it() {
        for c in (0x80..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let nfkc: String = std::iter::once(c).nfkc().collect();
            let text = c.to_string();
            let folded = fold(&text);
            if nfkc.is_ascii() {
                assert_eq!(folded, nfkc, "U+{:04X}", u32::from(c));
            } else if !folded.is_empty() && unicode_normalization::char::is_public_assigned(c) {
                assert_eq!(folded, c.to_string(), "U+{:04X}", u32::from(c));
            }
        }
    }

    #[test]
    fn ignored_characters_vanish_and_foreign_letters_remain() {
        assert_eq!(fold(".g\u{200c}\u{feff}I\u{202e}t"), ".gIt");
        assert_eq!(fold(".gіt"), ".gіt");
        assert_eq!(fold("ﬁle․ＴＸＴ"), "file.TXT");
    }
}
