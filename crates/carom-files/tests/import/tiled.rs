//! Maps of Tiled.

use std::fs;
use std::io::Write;

use base64::Engine;
use carom::prelude::*;
use carom::shape::repr::Names;
use carom::sheet::Role;
use carom_files::scene::{Motion, WalkMotion};
use carom_files::{ImportResult, Importer, Scene};

use super::{body, fixtures, import, import_with, map, only, scene};

#[test]
fn f3_tiles_collide_in_the_shapes_that_the_tileset_gives_them() {
    let import = import("tiled/level.tmx");
    let ground = body(scene(&import), "Ground");
    let map = map(ground);
    assert!(ground.fixed);
    assert_eq!((map.columns(), map.rows(), map.tile()), (10, 6, Vec2::splat(16.0)));
    assert!(map.kind([0, 5]).is_solid());
    assert_eq!(*map.kind([2, 4]), TileKind::slope(0.0, 1.0, [0.0, -1.0]));
    assert_eq!(*map.kind([4, 4]), TileKind::slope(1.0, 0.0, [0.0, -1.0])); // flipped
    assert_eq!(*map.kind([6, 2]), TileKind::one_way([0.0, -1.0]));
    let half = TileKind::convex(&[[0.0, 0.5], [1.0, 0.5], [1.0, 1.0], [0.0, 1.0]]);
    assert_eq!(*map.kind([7, 4]), half.with_data(7)); // drawn as a box that is turned
    assert!(map.kind([1, 0]).is_empty());
    // Two shapes are no kind of tile: they stand beside the map.
    assert!(map.kind([3, 3]).is_empty());
    let others: Vec<&Shape> = ground.colliders[1..].iter().map(|it| &it.shape).collect();
    let circle = Circle::new([56.0, 52.0], 4.0).into();
    assert_eq!(others, [&Aabb::new([48.0, 56.0], [64.0, 64.0]).into(), &circle]);
    let has_flowers = scene(&import).bodies.iter().any(|body| body.name == "Flowers");
    assert!(!has_flowers); // nothing on that layer has a shape
    let says = |text: &str| import.warnings.iter().any(|note| note.contains(text));
    assert!(says("layer `Flowers`: skipped "), "{:?}", import.warnings);
    assert!(import.warnings.contains(&"layer `Sky`: ignored: image layer".to_owned()));
}

#[test]
fn f3_objects_become_bodies_where_they_are() {
    let import = import("tiled/level.tmx");
    let scene = scene(&import);
    assert_eq!((scene.up, scene.gravity), (Vec2::new(0.0, -1.0), Vec2::new(0.0, 600.0)));
    let door = body(scene, "door");
    assert_eq!((door.position, door.user_data), (Vec2::new(140.0, 32.0), 1)); // the group is 2 higher
    assert_eq!(only(door), (&Aabb::new([0.0, 0.0], [12.0, 32.0]).into(), Role::Sensor));
    let pool = Ellipse::new([12.0, 6.0], [12.0, 6.0], 0.0).into();
    assert_eq!(only(body(scene, "pool")).0, &pool);
    assert_eq!(only(body(scene, "spawn")).0, &Point::new([0.0, 0.0]).into());
    let bent = Polygon::new(&[[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [10.0, 5.0]]);
    assert_eq!(only(body(scene, "Triggers 4")).0, &bent.into());
    let rope = Chain::new(&[[0.0, 0.0], [10.0, 5.0], [20.0, 0.0]]);
    assert_eq!(only(body(scene, "rope")).0, &rope.into());
    let coin = body(scene, "coin");
    assert_eq!(only(coin), (&Circle::new([4.0, 4.0], 4.0).into(), Role::Sensor));
    assert!(coin.pick_up && coin.fixed);
    let thin = Ellipse::new([2.0, 4.0], [2.0, 4.0], 0.0).into();
    assert_eq!(only(body(scene, "coin 2")).0, &thin); // its width is not that of the template
    let bush = body(scene, "bush"); // a tile, twice as wide, that stands on its place
    assert_eq!(only(bush).0, &Aabb::new([0.0, -16.0], [32.0, 0.0]).into());
    let plank = body(scene, "plank");
    assert_eq!(only(plank).1, Role::Solid); // its layer is called walls
    assert_eq!((plank.angle, plank.team), (90f32.to_radians(), 2));
    assert_eq!(plank.colliders[0].layers, Some(Names(vec!["wood".into()])));
    assert_eq!(scene.layers, ["wood"]);
    let placed = scene.build().unwrap();
    let bounds = placed.world.colliders().map(|it| it.bounds());
    let wanted = Aabb::new([76.0, 16.0], [80.0, 48.0]); // it hangs down from its place
    let near = |bounds: &Aabb| bounds.min().distance(wanted.min()) < 1e-3;
    assert!(bounds.filter(near).count() == 1);
    assert!(import.warnings.iter().any(|note| note.contains("object 6: ignored: text")));
    let hero = body(scene, "hero");
    assert!(!hero.fixed && only(hero).1 == Role::Solid);
    assert!(
        matches!(hero.motion, Some(Motion::Walk(WalkMotion { speed: 60.0, .. }))),
        "{:?}",
        hero.motion
    );
}

#[test]
fn json_and_xml_say_the_same() {
    let (xml, json) = (import("tiled/level.tmx"), import("tiled/level.tmj"));
    let about = scene(&xml).about.clone();
    assert_eq!(*scene(&xml), Scene { about, ..scene(&json).clone() });
    assert_eq!(xml.warnings, json.warnings);
    let again = Scene::from_json(&scene(&xml).to_json()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again, *scene(&xml));
}

#[test]
fn infinite_maps_are_as_large_as_their_tiles() {
    let import = import("tiled/infinite.tmx");
    let map = map(body(scene(&import), "Tiles"));
    assert_eq!((map.origin(), map.columns(), map.rows()), (Vec2::new(-128.0, 0.0), 32, 16));
    let tiles: Vec<Cell> = map.tiles().collect();
    assert_eq!(tiles, [15, 16, 17, 18].map(|x| Cell::new(x, 8)));
    assert!(import.warnings[0].contains("importing all tiles as solid"), "{:?}", import.warnings);
}

/// The ground of the level, encoded in some way.
fn encoded(encoding: &str, compression: &str) -> String {
    let text = fs::read_to_string(fixtures().join("tiled/level.tmx")).unwrap();
    let (before, rest) = text.split_once("name=\"Ground\"").unwrap();
    let (start, rest) = rest.split_once("<data encoding=\"csv\">").unwrap();
    let (numbers, after) = rest.split_once("</data>").unwrap();
    let numbers: Vec<u32> =
        numbers.split(',').map(|number| number.trim().parse().unwrap()).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let level = flate2::Compression::default();
    let packed = match compression {
        "zlib" => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        }
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        }
        "zstd" => ruzstd::encoding::compress_to_vec(
            bytes.as_slice(),
            ruzstd::encoding::CompressionLevel::Fastest,
        ),
        _ => bytes,
    };
    let (tag, data) = match encoding {
        "base64" => {
            let data = base64::engine::general_purpose::STANDARD.encode(packed);
            let compression = match compression {
                "" => String::new(),
                name => format!(" compression=\"{name}\""),
            };
            (format!("<data encoding=\"base64\"{compression}>"), format!("\n   {data}\n  "))
        }
        _ => {
            let tiles = numbers.iter().map(|gid| format!("<tile gid=\"{gid}\"/>\n"));
            ("<data>".into(), tiles.collect())
        }
    };
    format!("{before}name=\"Ground\"{start}{tag}{data}</data>{after}")
}

fn decode(text: &str) -> Result<ImportResult, String> {
    let path = fixtures().join("tiled/level.tmx");
    Importer::default().decode(path, text.as_bytes()).map_err(|error| error.to_string())
}

#[test]
fn all_encodings_say_the_same() {
    let csv = import("tiled/level.tmx");
    for (encoding, compression) in
        [("xml", ""), ("base64", ""), ("base64", "zlib"), ("base64", "gzip"), ("base64", "zstd")]
    {
        let other = decode(&encoded(encoding, compression));
        assert_eq!(other.as_ref(), Ok(&csv), "{encoding} {compression}");
    }
}

#[test]
fn roles_from_options_override_those_in_the_file() {
    let roles =
        [("Triggers", None), ("Walls", Some(Role::Sensor)), ("Ground", Some(Role::Hurtbox))];
    let roles = roles.map(|(name, role)| (name.to_owned(), role)).to_vec();
    let import = import_with(&Importer { roles, ..Importer::default() }, "tiled/level.tmx");
    let names: Vec<&str> = scene(&import).bodies.iter().map(|body| &*body.name).collect();
    assert_eq!(names, ["Ground", "plank", "hero"]);
    assert_eq!(only(body(scene(&import), "plank")).1, Role::Sensor);
    assert_eq!(body(scene(&import), "Ground").colliders[0].role, Role::Hurtbox);
}

#[test]
fn a_role_for_an_unknown_name_gives_a_warning() {
    let roles = ["Ground", "Grond"].map(|name| (name.to_owned(), Some(Role::Solid))).to_vec();
    let import = import_with(&Importer { roles, ..Importer::default() }, "tiled/level.tmx");
    let about =
        |name: &str| import.warnings.contains(&format!("--role: nothing is named `{name}`"));
    assert!(about("Grond") && !about("Ground"), "{:?}", import.warnings);
}

#[test]
fn a_layer_that_somebody_asks_for_has_its_tiles_without_shapes_too() {
    let roles = vec![("Flowers".to_owned(), Some(Role::Sensor))];
    let asked = import_with(&Importer { roles, ..Importer::default() }, "tiled/level.tmx");
    let level = fs::read_to_string(fixtures().join("tiled/level.tmx")).unwrap();
    let property = "<properties><property name=\"role\" value=\"sensor\"/></properties><data";
    let said = decode(&level.replacen("<data", property, 1)).unwrap();
    for import in [asked, said] {
        let flowers = body(scene(&import), "Flowers");
        assert_eq!(only(flowers).1, Role::Sensor);
        assert!(map(flowers).kind([1, 4]).is_solid() && map(flowers).kind([8, 4]).is_solid());
        assert_eq!(map(flowers).tiles().count(), 2);
    }
}

#[test]
fn tiled_errors_name_the_element() {
    let level = fs::read_to_string(fixtures().join("tiled/level.tmx")).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(level.contains(from), "{from}");
        decode(&level.replacen(from, to, 1)).map(|_| ()).expect_err(to)
    };
    for (from, to, message) in [
        ("\"orthogonal\"", "\"isometric\"", "found orientation \"isometric\""),
        ("ground.tsx", "gone.tsx", "gone.tsx: "),
        ("coin.tx", "gone.tx", "gone.tx: "),
        ("x=\"140\"", "x=\"far\"", "32:4: <object>: x: found \"far\", expected a finite number"),
        ("x=\"140\"", "x=\"1e39\"", "<object>: x: found \"1e39\", expected a finite number"),
        ("x=\"140\"", "x=\"140\" rotation=\"NaN\"", "rotation: found \"NaN\", expected a finite"),
        ("<layer ", "<layer offsetx=\"inf\" ", "offsetx: found \"inf\", expected a finite number"),
        ("0,5,0,0", "0,5,0", "layer `Flowers`: found 59 tiles, expected 10×6 = 60"),
        ("1,1,1", "1,x,1", "layer `Ground`: found \"x\", expected a tile id"),
        ("encoding=\"csv\"", "encoding=\"morse\"", "found encoding `morse`"),
        ("encoding=\"csv\"", "encoding=\"base64\" compression=\"lzw\"", "invalid base64"),
        ("\"walk\"", "\"wolk\"", "hero: property `motion`: unknown variant `wolk`"),
        ("value=\"solid\"", "value=\"sollid\"", "object 11: property unknown role `sollid`"),
        ("\"speed\": 60", "\"speed\": -60", "hero: bodies[10].motion.speed: -60"),
        ("0,0 20,0 20,20 10,5", "0,0 20,20 20,0 0,20", "layer `Triggers`: object 4: "),
        ("0,0 20,0 20,20 10,5", "0,0 20", "<polygon>: points: found \"20\", expected x,y"),
        ("<map", "<mapp", "level.tmx:70:1: expected 'mapp' tag, not 'map'"),
    ] {
        let found = refused(from, to);
        assert!(found.contains(message), "{message:?}\nis not in\n{found}");
    }
    let alone = Importer::default().read(fixtures().join("tiled/ground.tsx")).unwrap_err();
    assert!(alone.to_string().contains("found <tileset>, expected <map>"), "{alone}");
}
