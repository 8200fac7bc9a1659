//! Objects as bodies.

use carom::prelude::*;
use carom::sheet::Role;

use super::model::{Layer, Object};
use super::piece::Piece;
use super::read_template;
use super::tiles::Tiles;
use crate::FileError;
use crate::import::gather::Gather;
use crate::import::properties::Properties;
use crate::scene::{SceneBody, SceneCollider};

/// Adds the objects of a layer: its properties and those of what it is in, and where it is.
pub fn add(
    gather: &mut Gather<'_>,
    tiles: &Tiles,
    layer: &Layer,
    outer: &Properties,
    offset: Vec2,
) -> Result<(), FileError> {
    for object in &layer.objects {
        let mut object = object.clone();
        if let Some(template) = &object.template {
            let template = read_template(gather.path, template)?;
            object = object.with_template(template);
        }
        add_object(gather, tiles, layer, outer, offset, &object)?;
    }
    Ok(())
}

fn add_object(
    gather: &mut Gather<'_>,
    tiles: &Tiles,
    layer: &Layer,
    outer: &Properties,
    offset: Vec2,
    object: &Object,
) -> Result<(), FileError> {
    let Object { id, properties, .. } = object;
    let given = object.name.as_deref().unwrap_or_default();
    let class = object.class.as_deref().unwrap_or_default();
    let place = format!("layer `{}`: object {id}", layer.name);
    let pieces = match object.gid {
        Some(number) => tiles.of_object(gather.path, number, object.size())?,
        None => Piece::of(object).into_iter().collect(),
    };
    if pieces.is_empty() {
        gather.note(format!("{place}: text has no shape"));
        return Ok(());
    }
    let names = [given, class, &layer.name, &layer.class];
    let role = gather.role(&names, &[properties, outer], Role::Sensor);
    let Some(role) = role.map_err(|error| gather.fault(&place, error))? else { return Ok(()) };
    let name = match (given, class) {
        ("", "") => format!("{} {id}", layer.name),
        ("", class) => class.into(),
        (name, _) => name.into(),
    };
    let mut body = SceneBody::fixed(name, Vec2::new(object.x, object.y) + offset);
    body.angle = object.rotation.unwrap_or(0.0).to_radians();
    body.user_data = *id;
    for piece in pieces {
        let shape = piece.shape().map_err(|error| gather.fault(&place, error))?;
        body.colliders.push(SceneCollider::new(role, shape));
    }
    gather.add(body, &[properties, outer])
}
