//! Projects of LDtk.

use std::fs;

use carom::prelude::*;
use carom::sheet::Role;
use carom_files::Importer;

use super::{body, fixtures, import, import_with, map, only, scene};

const UP: Vec2 = Vec2::new(0.0, -1.0);

#[test]
fn f3_grids_become_tile_maps_where_their_levels_are() {
    let import = import("ldtk/world.ldtk");
    let first = body(scene(&import), "Level_0/Collisions");
    let map = map(first);
    assert_eq!((map.columns(), map.rows(), map.tile()), (6, 4, Vec2::splat(8.0)));
    assert_eq!(*map.kind([0, 3]), TileKind::SOLID.with_data(1));
    assert_eq!(*map.kind([2, 1]), TileKind::one_way(UP).with_data(3));
    assert_eq!(*map.kind([1, 2]), TileKind::SOLID.with_data(2)); // nobody says what water is
    assert_eq!(*map.kind([5, 2]), TileKind::SOLID.with_data(4));
    let second = body(scene(&import), "Level_1/Collisions"); // from a file of its own
    assert_eq!(second.position, Vec2::new(48.0, 16.0));
    let notes = &import.warnings;
    assert!(notes.contains(&"layer `Collisions`: `Water` is solid".to_owned()), "{notes:?}");
    assert!(notes.iter().any(|note| note.starts_with("layer `Tiles`")), "{notes:?}");
}

#[test]
fn f3_entities_become_bodies_with_their_pivot_in_place() {
    let import = import("ldtk/world.ldtk");
    let scene = scene(&import);
    let player = body(scene, "Level_0/Player");
    assert_eq!((player.position, player.team), (Vec2::new(12.0, 24.0), 1));
    assert!(player.motion.is_some() && !player.fixed);
    assert_eq!(only(player), (&Aabb::new([-4.0, -12.0], [4.0, 0.0]).into(), Role::Solid));
    let door = body(scene, "Level_0/Door");
    assert_eq!(only(door), (&Aabb::new([0.0, 0.0], [8.0, 16.0]).into(), Role::Sensor));
    assert_eq!(body(scene, "Level_0/Door 2").position, Vec2::new(0.0, 8.0));
    assert!(scene.build().is_ok());
}

#[test]
fn one_level_is_imported_by_its_name_with_roles_from_options() {
    let roles = vec![("Water".to_owned(), Some(Role::Sensor)), ("platform".to_owned(), None)];
    let level = Some("Level_0".to_owned());
    let importer = Importer { roles, level, ..Importer::default() };
    let import = import_with(&importer, "ldtk/world.ldtk");
    let names: Vec<&str> = scene(&import).bodies.iter().map(|body| &*body.name).collect();
    assert_eq!(names, ["Player", "Door", "Door 2", "Collisions"]);
    let grid = body(scene(&import), "Collisions");
    let roles: Vec<Role> = grid.colliders.iter().map(|it| it.role).collect();
    assert_eq!(roles, [Role::Solid, Role::Sensor]);
    assert!(map(grid).kind([2, 1]).is_empty() && map(grid).kind([1, 2]).is_empty());
    let wrong = Importer { level: Some("Level_9".into()), ..Importer::default() };
    let error = wrong.read(fixtures().join("ldtk/world.ldtk")).unwrap_err().to_string();
    assert!(error.contains("unknown level `Level_9` (did you mean `Level_0`?)"), "{error}");
}

#[test]
fn levels_in_a_row_follow_each_other() {
    let text = fs::read_to_string(fixtures().join("ldtk/world.ldtk")).unwrap();
    for (layout, place) in [("LinearHorizontal", [48.0, 0.0]), ("LinearVertical", [0.0, 32.0])] {
        let text = text.replace("\"Free\"", &format!("{layout:?}"));
        let text = text.replace("\"worldX\": 48", "\"worldX\": -1");
        let path = fixtures().join("ldtk/world.ldtk");
        let import = Importer::default().decode(path, text.as_bytes()).unwrap();
        assert_eq!(body(scene(&import), "Level_1/Collisions").position, Vec2::from(place));
    }
}

#[test]
fn ldtk_errors_name_the_element() {
    let text = fs::read_to_string(fixtures().join("ldtk/world.ldtk")).unwrap();
    for (from, to, message) in [
        ("\"intGridCsv\": [\n", "\"intGridCsv\": [7,\n", "found 25 values, expected 6×4"),
        ("\"pxWid\": 48", "\"pxWid\": \"wide\"", "invalid type: string \"wide\""),
        ("Level_1.ldtkl", "Level_7.ldtkl", "Level_7.ldtkl: "),
        ("\"identifier\": \"Level_0\",", "", "missing field `identifier`"),
        ("\"width\": 8", "\"width\": 0", "Player: "),
        (
            "\"jsonVersion\": \"1",
            "\"jsonVersion\": \"0.7",
            "expected 0.8 or later; open the project",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        let text = text.replacen(from, to, 1);
        let path = fixtures().join("ldtk/world.ldtk");
        let error = Importer::default().decode(path, text.as_bytes());
        let error = error.map(|_| ()).expect_err(message).to_string();
        assert!(error.contains(message), "{message:?}\nis not in\n{error}");
    }
}
