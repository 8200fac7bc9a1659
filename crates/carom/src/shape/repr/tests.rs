//! Tests of reading, writing and error messages.

use alloc::format;
use alloc::string::{String, ToString};

use crate::prelude::*;

/// One of each type, as written.
const SHAPES: [&str; 14] = [
    r#"{"type":"point","at":[1.5,-2.0]}"#,
    r#"{"type":"segment","a":[0.0,0.0],"b":[0.1,0.2]}"#,
    r#"{"type":"circle","center":[0.1,-0.0],"radius":1e-40}"#,
    r#"{"type":"ellipse","center":[1.0,2.0],"radii":[3.0,1.0],"angle":0.3}"#,
    r#"{"type":"capsule","a":[1.0,1.0],"b":[1.0,1.0],"radius":3.4028235e+38}"#,
    r#"{"type":"aabb","min":[-0.1,0.2],"max":[0.3,0.7]}"#,
    r#"{"type":"rect","center":[1.0,2.0],"half":[0.5,0.7],"angle":0.7853982}"#,
    r#"{"type":"triangle","points":[[0.0,0.0],[1.0,0.0],[0.0,1.0]]}"#,
    r#"{"type":"convex","points":[[0.0,0.0],[2.0,1.0],[0.0,4.0],[-2.0,1.0]],"radius":0.5}"#,
    r#"{"type":"polygon","outer":[[0.0,0.0],[4.0,0.0],[4.0,4.0],[0.0,4.0]],"holes":[[[1.0,1.0],[1.0,2.0],[2.0,2.0]]]}"#,
    r#"{"type":"chain","points":[[0.0,0.0],[1.0,1.0],[2.0,0.0]],"closed":true,"one_sided":true}"#,
    r#"{"type":"compound","parts":[{"type":"point","at":[0.0,0.0]},{"type":"aabb","min":[0.1,0.1],"max":[1.0,1.0]}]}"#,
    r##"{"type":"tiles","origin":[0.0,-1.0],"tile":[0.1,0.2],"rows":["#.-","/a\\"],"legend":{"#":"solid","-":"one_way","/":"slope_up","\\":"slope_down","a":{"kind":"solid","data":7}}}"##,
    r##"{"type":"mask","origin":[0.5,-1.0],"pixel":0.1,"rows":["..#",".##"],"mirror":{"x":true,"y":false}}"##,
];

fn read(json: &str) -> Shape {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Returns the error of a shape, without the line and column.
fn error_of(json: &str) -> String {
    let error = serde_json::from_str::<Shape>(json).expect_err(json).to_string();
    error.split(" at line ").next().unwrap_or_default().into()
}

/// Returns a shape of [`SHAPES`] with a pose.
fn posed(json: &str, pose: &str) -> Shape {
    read(&format!("{},\"pose\":{pose}}}", &json[..json.len() - 1]))
}

#[test]
fn every_type_is_written_as_it_was_read() {
    for json in SHAPES {
        assert_eq!(serde_json::to_string(&read(json)).unwrap(), json);
    }
}

#[test]
fn fields_come_in_any_order_and_optional_ones_may_be_left_out() {
    assert_eq!(
        read(r#"{"radius":2,"center":[1,0],"type":"circle"}"#),
        Circle::new([1.0, 0.0], 2.0).into()
    );
    assert_eq!(
        read(r#"{"type":"rect","center":[1,0],"half":[2,1]}"#),
        Obb::new([1.0, 0.0], [2.0, 1.0], 0.0).into()
    );
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    for (kind, field, shape) in [
        ("convex", "points", Shape::from(ConvexPolygon::new(&corners))),
        ("polygon", "outer", Polygon::new(&corners).into()),
        ("chain", "points", Chain::new(&corners).into()),
    ] {
        assert_eq!(read(&format!(r#"{{"type":"{kind}","{field}":{corners:?}}}"#)), shape);
    }
}

#[test]
fn a_pose_is_applied_on_reading() {
    for json in SHAPES {
        let pose = Pose::new([3.0, -4.0], 0.5).with_scale(0.25);
        let expected = read(json).transformed(&pose);
        let pose = serde_json::to_string(&pose).unwrap();
        assert_eq!(pose, r#"{"position":[3.0,-4.0],"angle":0.5,"scale":0.25}"#);
        assert_eq!(posed(json, &pose), expected);
        assert_eq!(posed(json, "{}"), read(json));
    }
}

#[test]
fn a_box_stays_axis_aligned_until_it_is_rotated() {
    let json = r#"{"type":"aabb","min":[0.1,0.2],"max":[0.3,0.7]}"#;
    let moved = posed(json, r#"{"position":[0.1,7],"scale":3}"#);
    let pose = Pose::from_translation([0.1, 7.0]).with_scale(3.0);
    assert_eq!(moved, Aabb::new([0.1, 0.2], [0.3, 0.7]).transformed_bounds(&pose).into());
    assert_eq!(posed(json, r#"{"angle":0.1}"#).kind(), "Obb");
    let Shape::Compound(compound) = posed(SHAPES[11], r#"{"position":[1,1]}"#) else {
        panic!("a compound stays one")
    };
    assert_eq!(compound.parts()[1], Aabb::new([1.1, 1.1], [2.0, 2.0]).into());
}

#[test]
fn a_placed_shape_reads_back_to_the_same_bits() {
    for json in SHAPES {
        for pose in [
            r#"{"position":[0.3,-7e6]}"#,
            r#"{"position":[1e-3,0.1],"scale":0.7}"#,
            r#"{"angle":0.1}"#,
            r#"{"scale":1e-44}"#,
        ] {
            let placed = posed(json, pose);
            let rounded = matches!(placed, Shape::Obb(_) | Shape::Ellipse(_));
            let broken = matches!(placed, Shape::Polygon(_) | Shape::Chain(_));
            if rounded || broken && pose.contains("e-44") {
                continue;
            }
            let written = serde_json::to_string(&placed).unwrap();
            assert_eq!(serde_json::to_string(&read(&written)).unwrap(), written);
        }
    }
}

#[test]
fn shapes_flattened_by_rounding_still_read_back() {
    for (json, pose, written) in [
        (2, r#"{"scale":1e-8}"#, r#"{"type":"point","at":[1e-9,0.0]}"#),
        (5, r#"{"position":[1e9,0]}"#, r#"{"type":"segment","a":[1e9,0.2],"b":[1e9,0.7]}"#),
        (7, r#"{"position":[1e9,1e9]}"#, r#"{"type":"point","at":[1e9,1e9]}"#),
        (
            8,
            r#"{"position":[1e9,1e9]}"#,
            r#"{"type":"capsule","a":[1e9,1e9],"b":[1e9,1e9],"radius":0.5}"#,
        ),
    ] {
        let flat = posed(SHAPES[json], pose);
        assert_eq!(
            serde_json::to_value(&flat).unwrap(),
            serde_json::to_value(read(written)).unwrap()
        );
    }
}

#[test]
fn errors_have_a_message_and_a_path() {
    for (json, message) in [
        (
            r#"{"type":"circle","center":[0,0],"radius":-1}"#,
            "radius is -1; it must be greater than 0",
        ),
        (r#"{"type":"circle","center":[0,0]}"#, "missing field `radius`"),
        (r#"{"center":[0,0],"radius":1}"#, "missing field `type`"),
        (
            r#"{"type":"circle","raduis":1,"center":[0,0]}"#,
            "unknown field `raduis` (did you mean `radius`?), expected one of `center`, `radius`, `pose`",
        ),
        (
            r#"{"type":"point","at":[0,0],"radius":1}"#,
            "unknown field `radius`, expected one of `at`, `pose`",
        ),
        (r#"{"type":"point","at":[0,0],"at":[0,0]}"#, "field `at` is given twice"),
        (r##"{"type":"mask","rows":[".#."]}"##, "missing field `origin`"),
        (
            r##"{"type":"mask","origin":[0,0],"rows":[".#.","?.."]}"##,
            "'?' in column 0 of row 1 is not a pixel; use '#' for a set pixel and '.' for a clear one",
        ),
        (
            r##"{"type":"mask","origin":[0,0],"rows":["#.","#"]}"##,
            "row 1 has length 1; expected 2, the length of row 0",
        ),
        (
            r#"{"type":"mask","origin":[0,0],"rows":[]}"#,
            "no pixels; a mask needs at least one row and one column",
        ),
        (
            r#"{"type":"mask","origin":[0,0],"rows":["",""]}"#,
            "no pixels; a mask needs at least one row and one column",
        ),
        (
            r##"{"type":"mask","origin":[0,0],"pixel":0,"rows":["#"]}"##,
            "pixel is 0; it must be greater than 0",
        ),
        (
            r#"{"type":"point","at":[0,0],"pose":{"rotation":1}}"#,
            "pose: unknown field `rotation`, expected one of `position`, `angle`, `scale`",
        ),
        (
            r#"{"type":"point","at":[0,0],"pose":{"scale":0}}"#,
            "pose: scale is 0; it must be greater than 0",
        ),
        (
            r#"{"type":"circle","center":[0,0],"radius":"1"}"#,
            "radius: invalid type: string \"1\", expected a number",
        ),
        (r#"{"type":"point","at":5}"#, "at: invalid type: integer `5`, expected [x, y]"),
        (r#"{"type":"point","at":[5]}"#, "at: invalid length 1, expected [x, y]"),
        (r#"{"type":"point","at":[5,6,7]}"#, "at: more than two numbers, expected [x, y]"),
        (
            r#"{"type":"chain","points":[[0,0],[1,0],[2,0],"3,0"]}"#,
            "points[3]: invalid type: string \"3,0\", expected [x, y]",
        ),
        (
            r#"{"type":"chain","points":[[0,0],[1,null]]}"#,
            "points[1].y: invalid type: null, expected a number",
        ),
        (
            r#"{"type":"polygon","outer":[[0,0],[1,0],[1,1]],"holes":[[[0,0],7]]}"#,
            "holes[0][1]: invalid type: integer `7`, expected [x, y]",
        ),
        (
            r##"{"type":"tiles","origin":[0,0],"tile":[1,0],"rows":["#"],"legend":{"#":"solid"}}"##,
            "tile.y is 0; it must be greater than 0",
        ),
        (
            r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":["ss","sx"],"legend":{"s":"solid"}}"##,
            "'x' in column 1 of row 1 is not in the legend",
        ),
        (
            r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":["ss","s"],"legend":{"s":"solid"}}"##,
            "row 1 has length 1; expected 2, the length of row 0",
        ),
        (
            r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":[],"legend":{}}"##,
            "no tiles; a tile map needs at least one row and one column",
        ),
        (
            r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":["s"],"legend":{"ss":"solid"}}"##,
            "legend: \"ss\" is not a single character",
        ),
        (
            r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":["#"],"legend":{"#":{"kind":"convex","points":[[0,0],[1,0],[0,2]]}}}"##,
            "legend[\"#\"]: point 2 is (0, 2); coordinates in a tile are from 0 to 1",
        ),
        (
            r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":["#"],"legend":{"#":7}}"##,
            "legend[\"#\"]: invalid type: integer `7`, expected a kind of tile such as \"solid\" or {\"kind\":\"solid\",\"data\":7}",
        ),
        (
            r#"{"type":"triangle","points":[[0,0],[1,0]]}"#,
            "points: found 2 points, expected exactly 3",
        ),
        (
            r#"{"type":"compound","parts":[{"type":"point","at":[0,0]},{"type":"compound","parts":[]}]}"#,
            "parts[1]: no parts; a compound needs at least one shape",
        ),
        (
            r#"{"type":"compound","parts":[{"type":"compound","parts":[{"type":"circle","center":[0,0],"radius":0}]}]}"#,
            "parts[0].parts[0]: radius is 0; it must be greater than 0",
        ),
        (
            "7",
            "invalid type: integer `7`, expected a shape such as {\"type\":\"circle\",\"center\":[x,y],\"radius\":r}",
        ),
    ] {
        assert_eq!(error_of(json), message);
    }
    assert!(error_of(r#"{"type":"circel"}"#).starts_with(
        "unknown shape type `circel` (did you mean `circle`?), expected one of `point`, "
    ));
    assert!(error_of(r#"{"type":"point","at":[1e39,0]}"#).starts_with("at.x: number out of range"));
    assert!(error_of(r#"{"type":"point","at":[NaN,0]}"#).starts_with("at.x: expected"));
}

#[test]
fn names_of_tiles_depend_on_the_up_direction() {
    let map = |up: &str, name: &str| {
        let head = r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":["#"]"##;
        read(&format!(r##"{head}{up},"legend":{{"#":"{name}"}}}}"##))
    };
    let solid = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["#"], &[('#', TileKind::SOLID)]);
    assert_eq!(map("", "solid"), solid.into());
    let high = Point::new([0.75, 0.9]);
    assert!(
        map("", "slope_up").contains(&high) && !map(r#","up":[0,1]"#, "slope_down").contains(&high)
    );
    assert!(map(r#","up":[0,1]"#, "slope_up").contains(&Point::new([0.75, 0.1])));
    let falling = Ray::new([0.5, -5.0], [0.0, 1.0], 10.0);
    assert_eq!(map("", "one_way").raycast(&falling).unwrap().point, Vec2::new(0.5, 0.0));
    assert_eq!(map(r#","up":[0,1]"#, "one_way").raycast(&falling), None);
    let error = error_of(
        r##"{"type":"tiles","origin":[0,0],"tile":[1,1],"rows":["#"],"legend":{"#":"sold"}}"##,
    );
    assert!(
        error.starts_with("legend[\"#\"]: unknown kind of tile `sold` (did you mean `solid`?)")
    );
}

#[test]
fn compounds_nested_too_deep_are_an_error() {
    let nested = |depth| {
        let open = r#"{"type":"compound","parts":["#.repeat(depth);
        format!("{open}{}{}", SHAPES[0], "]}".repeat(depth))
    };
    assert_eq!(read(&nested(32)).kind(), "Compound");
    assert!(error_of(&nested(33)).ends_with("compounds are nested more than 32 levels deep"));
    assert!(error_of(&nested(100_000)).ends_with("recursion limit exceeded"));
}
