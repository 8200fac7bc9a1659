//! `carom query`, through pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;

const CIRCLE: &str = r#"{"type":"circle","center":[0,0],"radius":2}"#;
const BOX: &str = r#"{"type":"aabb","min":[1,-3],"max":[4,3]}"#;
const FAR_BOX: &str = r#"{"type":"aabb","min":[5,-3],"max":[8,3]}"#;

/// One of each type; all of them share the point (1, 1) with the first.
const SHAPES: [&str; 14] = [
    r#"{"type":"aabb","min":[0,0],"max":[2,2]}"#,
    r#"{"type":"point","at":[1,1]}"#,
    r#"{"type":"segment","a":[1,1],"b":[5,1]}"#,
    r#"{"type":"circle","center":[1,1],"radius":3}"#,
    r#"{"type":"ellipse","center":[1,1],"radii":[3,1]}"#,
    r#"{"type":"capsule","a":[1,1],"b":[5,1],"radius":0.5}"#,
    r#"{"type":"rect","center":[1,1],"half":[2,1],"angle":0.5}"#,
    r#"{"type":"triangle","points":[[0,0],[4,0],[1,4]]}"#,
    r#"{"type":"convex","points":[[0,0],[4,0],[4,4],[0,4]],"radius":0.5}"#,
    r#"{"type":"polygon","outer":[[0,0],[9,0],[9,9],[0,9]],"holes":[[[2,2],[3,2],[3,3]]]}"#,
    r#"{"type":"chain","points":[[0,1],[2,1],[2,5]],"closed":true}"#,
    r#"{"type":"compound","parts":[{"type":"point","at":[0,0]}],"pose":{"position":[1,1]}}"#,
    r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":["#.","#."],"legend":{"#":"solid"}}"##,
    r##"{"type":"mask","origin":[0,0],"pixel":0.5,"rows":["...#","..##"]}"##,
];

fn start() -> Child {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .arg("query")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("carom starts")
}

/// Feeds the program and gives its output; it must end with success.
fn run(input: impl Into<Vec<u8>>) -> String {
    let mut carom = start();
    let (mut stdin, input) = (carom.stdin.take().unwrap(), input.into());
    let writer = thread::spawn(move || stdin.write_all(&input).expect("carom reads all"));
    let mut output = String::new();
    carom.stdout.take().unwrap().read_to_string(&mut output).expect("UTF-8 comes back");
    writer.join().unwrap();
    assert!(carom.wait().unwrap().success());
    output
}

/// The answer to one line.
fn ask(line: &str) -> String {
    let output = run(format!("{line}\n"));
    assert_eq!(output.matches('\n').count(), 1, "{output}");
    output.trim_end().to_owned()
}

fn value(json: &str) -> serde_json::Value {
    serde_json::from_str(json).expect("answers are JSON")
}

fn pair(op: &str, a: &str, b: &str) -> String {
    format!(r#"{{"op":"{op}","a":{a},"b":{b}}}"#)
}

#[test]
fn every_operation_has_its_documented_response() {
    for (question, answer) in [
        (pair("intersects", CIRCLE, BOX), r#"{"intersects":true}"#),
        (pair("overlaps", CIRCLE, FAR_BOX), r#"{"overlaps":false}"#),
        (pair("contains", FAR_BOX, r#"{"type":"point","at":[6,0]}"#), r#"{"contains":true}"#),
        (
            pair("contact", CIRCLE, BOX),
            r#"{"contact":{"normal":[-1.0,0.0],"depth":1.0,"push":[-1.0,0.0],"points":[[1.5,0.0]]}}"#,
        ),
        (pair("contact", CIRCLE, FAR_BOX), r#"{"contact":null}"#),
        (
            pair("distance", CIRCLE, FAR_BOX),
            r#"{"distance":3.0,"on_a":[2.0,0.0],"on_b":[5.0,0.0]}"#,
        ),
        (format!(r#"{{"op":"sweep","a":{BOX},"b":{FAR_BOX},"motion":[-1,0]}}"#), r#"{"hit":null}"#),
        (
            format!(
                r#"{{"op":"raycast","origin":[0,0],"direction":[2,0],"max":10,"b":{FAR_BOX}}}"#
            ),
            r#"{"hit":{"distance":5.0,"point":[5.0,0.0],"normal":[-1.0,0.0],"exit":8.0}}"#,
        ),
        (
            format!(r#"{{"op":"raycast","origin":[0,0],"direction":[2,0],"max":4,"b":{FAR_BOX}}}"#),
            r#"{"hit":null}"#,
        ),
    ] {
        // As values: the sign of a zero is nobody's business.
        assert_eq!(value(&ask(&question)), value(answer), "{question}");
    }
}

#[test]
fn a_sweep_returns_time_normal_point_and_depth() {
    let sweep = |more: &str| ask(&format!(r#"{{"op":"sweep","a":{CIRCLE},"b":{FAR_BOX},{more}}}"#));
    let hit = value(&sweep(r#""motion":[6,0]"#));
    assert_eq!(hit["hit"]["time"], 0.5);
    assert_eq!(hit["hit"]["normal"][0], -1.0);
    assert_eq!(hit["hit"]["point"][0], 5.0);
    assert_eq!(hit["hit"]["depth"], 0.0);
    // A quarter turn about (0, -6) takes the circle over to (6, -6), below the box.
    let turned = sweep(r#""motion":[0,0],"turn":-1.5707964,"pivot":[0,-6]"#);
    assert!(turned.starts_with(r#"{"hit":{"time":"#), "{turned}");
    assert_eq!(sweep(r#""motion":[0,0],"turn":1"#), r#"{"hit":null}"#);
}

#[test]
fn every_type_can_be_queried_against_every_type() {
    let mut questions = String::new();
    for a in SHAPES {
        for op in ["intersects", "overlaps", "contains", "contact", "distance"] {
            questions.extend([
                pair(op, SHAPES[0], a),
                "\n".into(),
                pair(op, a, SHAPES[0]),
                "\n".into(),
            ]);
        }
        questions += &format!("{{\"op\":\"sweep\",\"a\":{a},\"b\":{FAR_BOX},\"motion\":[9,0]}}\n");
        questions += &format!(
            "{{\"op\":\"raycast\",\"origin\":[1,1],\"direction\":[0,1],\"max\":9,\"b\":{a}}}\n"
        );
    }
    let answers = run(questions.clone());
    assert_eq!(answers.lines().count(), questions.lines().count());
    for (question, answer) in questions.lines().zip(answers.lines()) {
        assert!(!answer.contains("error"), "{question}: {answer}");
        if question.contains("intersects") {
            assert_eq!(answer, r#"{"intersects":true}"#, "{question}");
        }
    }
}

#[test]
fn the_id_comes_back_first_whatever_it_is() {
    for id in ["7", "\"seven\"", "null", "12345678901234567890123", "1.50", r#"{"a":[1,{}]}"#] {
        let question = format!(r#"{{"op":"overlaps","a":{CIRCLE},"b":{BOX},"id":{id}}}"#);
        assert_eq!(ask(&question), format!(r#"{{"id":{id},"overlaps":true}}"#));
    }
}

#[test]
fn a_bad_line_is_answered_and_the_rest_go_on() {
    let good = pair("intersects", CIRCLE, BOX);
    let bad_circle = r#"{"type":"circle","center":[0,0],"radius":-1}"#;
    for (bad, error) in [
        (
            format!(r#"{{"id":4,"op":"intersects","a":{BOX},"b":{bad_circle}}}"#),
            r#"{"id":4,"error":"b: radius is -1; it must be greater than 0"}"#,
        ),
        (
            format!(r#"{{"op":"sweep","a":{BOX},"b":{BOX},"motion":[1]}}"#),
            r#"{"id":null,"error":"motion: invalid length 1, expected [x, y]"}"#,
        ),
        (
            format!(r#"{{"op":"intersects","a":{BOX},"id":5}}"#),
            r#"{"id":5,"error":"missing field `b`"}"#,
        ),
        (
            r#"{"op":"intersect"}"#.into(),
            r#"{"id":null,"error":"unknown op `intersect` (did you mean `intersects`?), expected one of `intersects`, `overlaps`, `contains`, `contact`, `distance`, `sweep`, `raycast`"}"#,
        ),
        (
            format!(r#"{{"op":"overlaps","a":{BOX},"b":{BOX},"max":1}}"#),
            r#"{"id":null,"error":"unknown field `max`, expected one of `id`, `op`, `a`, `b`"}"#,
        ),
        (
            r#"{"id":"x","op":"overlaps","#.into(),
            r#"{"id":"x","error":"not valid JSON: the text ends here, expected a value at column 26"}"#,
        ),
        (
            format!(r#"{{"op":"raycast","origin":[0,0],"direction":[0,0],"max":1,"b":{BOX}}}"#),
            r#"{"id":null,"error":"the direction's length is 0; it must be greater than 0"}"#,
        ),
    ] {
        let answers = run(format!("{bad}\n\n  \r\n{good}"));
        assert_eq!(answers, format!("{error}\n{{\"intersects\":true}}\n"));
    }
}

#[test]
fn deep_nesting_invalid_utf8_and_endless_lines_are_errors_in_line() {
    let good = format!("\n{}\n", pair("intersects", CIRCLE, BOX));
    let nested = format!(
        r#"{{"id":1,"op":"overlaps","a":{}"#,
        r#"{"type":"compound","parts":["#.repeat(1 << 20)
    );
    let deep = format!("{nested}{}}}", "]}".repeat(1 << 20)).into_bytes();
    let mut endless = br#"{"id":1,"op":"overlaps","a":["#.to_vec();
    endless.resize(70 << 20, b' ');
    for bad in [b"{\"id\":1,\"op\":\"\xff\"}".to_vec(), deep, nested.into_bytes(), endless] {
        let answers = run([&bad, good.as_bytes()].concat());
        let (first, rest) = answers.split_once('\n').unwrap();
        assert!(first.starts_with(r#"{"id":1,"error":""#) && first.len() < 2000, "{first}");
        assert_eq!(rest, "{\"intersects\":true}\n");
    }
}

#[test]
fn a_hundred_thousand_answers_stay_in_order() {
    let question = |i: u32| {
        let radius = f64::from(i % 7) - 0.5;
        format!(
            "{{\"id\":{i},\"op\":\"distance\",\"a\":{CIRCLE},\"b\":{{\"type\":\"circle\",\"center\":[{i},0],\"radius\":{radius}}}}}\n"
        )
    };
    let answers = run((0..100_000).map(question).collect::<String>());
    assert_eq!(answers.lines().count(), 100_000);
    for (i, answer) in answers.lines().enumerate() {
        assert!(answer.starts_with(&format!("{{\"id\":{i},")), "{i}: {answer}");
    }
}

#[test]
fn an_answer_comes_before_the_next_question_is_asked() {
    let mut carom = start();
    let mut stdin = carom.stdin.take().unwrap();
    let mut answers = BufReader::new(carom.stdout.take().unwrap()).lines();
    for i in 0..100 {
        writeln!(stdin, r#"{{"id":{i},"op":"overlaps","a":{CIRCLE},"b":{BOX}}}"#).unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert_eq!(answer, format!(r#"{{"id":{i},"overlaps":true}}"#));
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(carom.wait().unwrap().success());
}

#[test]
fn a_reader_that_stops_reading_ends_the_program_quietly() {
    let mut carom = start();
    let mut stdin = carom.stdin.take().unwrap();
    drop(carom.stdout.take());
    // The input stays open: the program must end of its own.
    writeln!(stdin, "{}", pair("intersects", CIRCLE, BOX)).unwrap();
    assert!(carom.wait().unwrap().success());
}
