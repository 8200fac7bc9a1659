//! A stroke font, so that images do not depend on the fonts of the machine.
//!
//! A glyph is a list of strokes. Each pair of digits of a stroke is a point: x from the left, and y down from the
//! top of the capitals. The baseline is at 6.

use carom::math::Vec2;

/// The height of a capital, in units of the glyphs.
const CAPITAL: f32 = 6.0;
/// The space between two glyphs, in units of the glyphs.
const SPACING: f32 = 1.6;

/// Returns the strokes of a text that starts at the origin of the baseline, and its width. `height` is the font
/// size.
pub fn strokes(text: &str, height: f32) -> (Vec<Vec<Vec2>>, f32) {
    let step = height * 0.72 / CAPITAL; // the height of capitals is about 0.72 times the font size
    let mut lines = Vec::new();
    let mut x = 0.0;
    for letter in text.chars() {
        let strokes = strokes_of(letter);
        let mut width = if letter == ' ' { 1.4 } else { 0.0f32 };
        for stroke in strokes.split_whitespace() {
            let digits: Vec<f32> = stroke.bytes().map(|digit| f32::from(digit - b'0')).collect();
            let point = |at: &[f32]| Vec2::new(x + at[0], at[1] - CAPITAL) * step;
            width = digits.chunks(2).fold(width, |width, at| width.max(at[0]));
            lines.push(digits.chunks(2).map(point).collect());
        }
        x += width + SPACING;
    }
    (lines, (x - SPACING).max(0.0) * step)
}

/// Returns the strokes of a character. An unknown character is drawn as an empty box.
#[rustfmt::skip] // one glyph per line
fn strokes_of(letter: char) -> &'static str {
    match letter {
        ' ' => "",
        'A' => "062046 1434",
        'B' => "0006 003041423303 3344453606",
        'C' => "4130100105163645",
        'D' => "00062644422000",
        'E' => "40000646 0333",
        'F' => "400006 0333",
        'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "0006",
        'J' => "3035261605",
        'K' => "0006 4003 1346",
        'L' => "000636",
        'M' => "0600234046",
        'N' => "06004640",
        'O' => "103041453616050110",
        'P' => "06003041423303",
        'Q' => "103041453616050110 2447",
        'R' => "06003041423303 2346",
        'S' => "413010010213334445361605",
        'T' => "0040 2026",
        'U' => "000516364540",
        'V' => "002640",
        'W' => "0016233640",
        'X' => "0046 4006",
        'Y' => "002340 2326",
        'Z' => "00400646",
        'a' => "3322120305162635 3236",
        'b' => "0006 0312223335261605",
        'c' => "3322120305162635",
        'd' => "3036 3322120305162635",
        'e' => "04343322120305162635",
        'f' => "30201116 0222",
        'g' => "3237281807 3322120305162635",
        'h' => "0006 0312223336",
        'i' => "0206 0000",
        'j' => "121708 1010",
        'k' => "0006 3204 1436",
        'l' => "000516",
        'm' => "0206 03122326 23324346",
        'n' => "0206 0312223336",
        'o' => "122233352616050312",
        'p' => "0208 0312223335261605",
        'q' => "3238 3322120305162635",
        'r' => "0206 031222",
        's' => "3212031424352606",
        't' => "101526 0222",
        'u' => "0205162635 3236",
        'v' => "022642",
        'w' => "0216233642",
        'x' => "0236 3206",
        'y' => "0205162635 32372818",
        'z' => "02320636",
        '0' => "103041453616050110 4105",
        '1' => "011016 0626",
        '2' => "01103041420646",
        '3' => "004022324345361605",
        '4' => "300444 3036",
        '5' => "4000023243453606",
        '6' => "40100205163645433202",
        '7' => "004016",
        '8' => "103041423313020110 1304051636454433",
        '9' => "06364441301001021343",
        '.' => "0506",
        ',' => "0507",
        ':' => "0203 0506",
        ';' => "0203 0507",
        '!' => "0004 0606",
        '?' => "01102031321314 1616",
        '-' => "0333",
        '+' => "0343 2125",
        '=' => "0232 0434",
        '*' => "2125 0244 4204",
        '/' => "4006",
        '\\' => "0046",
        '(' => "20111526",
        ')' => "00111506",
        '[' => "20000626",
        ']' => "00202606",
        '{' => "20111203141526",
        '}' => "00111223141506",
        '<' => "310335",
        '>' => "013305",
        '_' => "0646",
        '|' => "0006",
        '\'' => "0001",
        '"' => "0001 2021",
        '#' => "1016 3036 0242 0444",
        '%' => "0640 0010110100 3545463635",
        '&' => "4612112030310405162644",
        '@' => "4332221324344345 4341301001051636",
        '$' => "411001123243443505 2026",
        '^' => "022042",
        '~' => "03122332",
        '`' => "0011",
        '–' => "0343",
        '×' => "1245 4215",
        '°' => "0010110100",
        '²' => "0010110212",
        '→' => "0343 324334",
        _ => "0040460600",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_printable_letters_exist_and_consist_of_whole_points() {
        for letter in (' '..='~').chain("–×°²→".chars()) {
            let strokes = strokes_of(letter);
            assert!(letter == ' ' || !strokes.is_empty(), "{letter}");
            assert_ne!(strokes, strokes_of('\u{1}'), "{letter}");
            for stroke in strokes.split_whitespace() {
                assert!(stroke.len() % 2 == 0 && stroke.len() >= 4, "{letter}: {stroke}");
                assert!(stroke.bytes().all(|digit| digit.is_ascii_digit()), "{letter}");
            }
        }
    }

    #[test]
    fn longer_words_are_wider() {
        assert!(strokes("mm", 13.0).1 > 2.0 * strokes("m", 13.0).1);
        assert_eq!(strokes("", 13.0), (Vec::new(), 0.0));
    }
}
